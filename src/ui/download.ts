/**
 * Have the browser save a file.
 *
 * @param content - Of the file.
 * @param name - Its name.
 */
export function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

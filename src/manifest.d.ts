/**
 * The package's own manifest; it lies outside the compiled folder.
 */
declare module '*/package.json' {
  const manifest: { version: string };
  export default manifest;
}

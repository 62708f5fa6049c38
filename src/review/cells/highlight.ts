import { highlightingFor, language } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { highlightCode } from '@lezer/highlight';

/**
 * Put lines of code into elements, in the colours of their editor.
 *
 * @param parent - Gets one element a line.
 * @param lines - The code; its text is untrusted and is never parsed as HTML.
 * @param state - Of the editor: its language and its theme.
 * @param className - Of each line's element.
 */
export function showCode(
  parent: HTMLElement,
  lines: readonly string[],
  state: EditorState,
  className: string
): void {
  let line = newLine(parent, className);
  const put = (text: string, classes: string) => {
    if (!classes) {
      line.append(text);
      return;
    }
    const span = document.createElement('span');
    span.className = classes;
    span.textContent = text;
    line.append(span);
  };
  const code = lines.join('\n');
  const spoken = state.facet(language);
  if (spoken) {
    highlightCode(
      code,
      spoken.parser.parse(code),
      { style: tags => highlightingFor(state, tags) },
      put,
      () => {
        line = newLine(parent, className);
      }
    );
  } else {
    lines.forEach((text, index) => {
      if (index > 0) {
        line = newLine(parent, className);
      }
      put(text, '');
    });
  }
}

function newLine(parent: HTMLElement, className: string): HTMLElement {
  const line = document.createElement('div');
  line.className = className;
  parent.append(line);
  return line;
}

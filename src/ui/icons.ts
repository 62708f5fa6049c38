import { LabIcon } from '@jupyterlab/ui-components';

/**
 * A page that is renewed: the product's sign in toolbar, sidebar and settings.
 */
export const modernizeIcon = new LabIcon({
  name: 'mle-modernizer:modernize',
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 24 24">
  <g class="jp-icon3" fill="#616161">
    <path d="M5 2h9l5 5v3.1a7 7 0 0 0-2-.1V8h-4V4H5v16h4.3a7 7 0 0 0 1 2H5a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2z"/>
    <path d="M7 9h4v2H7zm0 4h2.7a7 7 0 0 0-.6 2H7z"/>
    <path d="M16 11.5a5 5 0 0 1 4.1 2.1l1.4-1.4v4.3h-4.3l1.5-1.5a3 3 0 0 0-5.5.7l-1.9-.5a5 5 0 0 1 4.700-3.700z"/>
    <path d="M16 22a5 5 0 0 1-4.100-2.100l-1.400 1.400V17h4.300l-1.500 1.500a3 3 0 0 0 5.500-.7l1.900.5A5 5 0 0 1 16 22z"/>
  </g>
</svg>`
});

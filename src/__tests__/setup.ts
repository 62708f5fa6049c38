import '@testing-library/jest-dom';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// JupyterLab warns if a browser has no clipboard; no test needs one.
Object.assign(navigator, { clipboard: {} });

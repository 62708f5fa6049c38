import '@testing-library/jest-dom';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// JupyterLab warns where a browser has no clipboard; nothing here needs one.
Object.assign(navigator, { clipboard: {} });

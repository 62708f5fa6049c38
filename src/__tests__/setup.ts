import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// JupyterLab warns if a browser has no clipboard; no test needs one.
Object.assign(navigator, { clipboard: {} });

// A machine that does something else beside them is no failure.
configure({ asyncUtilTimeout: 20_000 });

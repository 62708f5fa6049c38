/** The package's own manifest, outside of the compiled folder. */
declare module '*/package.json' {
  const manifest: { version: string };
  export default manifest;
}

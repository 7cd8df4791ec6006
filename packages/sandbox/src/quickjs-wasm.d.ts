/** The compiled output of `buildMeteredQuickJs`. Workers cannot compile it themselves, so it is part of their bundles. */
declare module "@tripline/sandbox/quickjs.wasm" {
	const module: WebAssembly.Module;
	export default module;
}

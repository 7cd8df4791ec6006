let instances = 0;

// Imported before the worker, so that instantiations while loading its modules are counted too.
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
	construct(target, values) {
		instances++;
		return Reflect.construct(target, values);
	},
});

/** How often WebAssembly was instantiated in this isolate. */
export const countInstances = (): number => instances;

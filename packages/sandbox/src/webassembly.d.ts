/** The part that is used: Node's types lack it, and the browser types would add much else. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
		static exports(module: Module): { readonly name: string; readonly kind: string }[];
		static imports(module: Module): { readonly module: string; readonly name: string }[];
	}
	class Instance {
		constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, ImportValue>>>>);
		readonly exports: object;
	}
	class Memory {
		readonly buffer: ArrayBuffer;
		grow(pages: number): number;
	}
	interface Global<Value extends number | bigint> {
		value: Value;
	}
	class RuntimeError extends Error {}
	type ImportValue = (...values: never[]) => unknown;
	function compile(bytes: Uint8Array): Promise<Module>;
	function validate(bytes: Uint8Array): boolean;
}

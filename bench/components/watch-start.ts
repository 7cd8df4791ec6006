import { appendFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import type { WorkerOptions } from "node:worker_threads";

/**
 * Loaded first, in threads too: records each thread that is started and each WebAssembly module that is compiled. The
 * output file is in the module's own URL, because a thread may have no environment.
 */
const file = new URL(import.meta.url).searchParams.get("file") as string;
const note = (line: string) => appendFileSync(file, `${line}\n`);

type Values = readonly unknown[];

const threads = createRequire(import.meta.url)("node:worker_threads") as { Worker: object };
threads.Worker = watchMethod(threads.Worker, ([entry, options = {}]) => {
	note(`thread ${entry}`);
	const { execArgv = [] } = options as WorkerOptions;
	return [entry, { ...(options as WorkerOptions), execArgv: [...execArgv, "--import", import.meta.url] }];
});
syncBuiltinESMExports();

const wasm = WebAssembly as unknown as Record<string, object>;
for (const name of ["compile", "instantiate", "compileStreaming", "instantiateStreaming", "Module"]) {
	wasm[name] = watchMethod(wasm[name] as object, (values) => {
		const [source] = values;
		const isSource = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
		note(`wasm ${isSource ? source.byteLength : 0}`);
		return values;
	});
}

function watchMethod(what: object, see: (values: Values) => Values): object {
	return new Proxy(what, {
		apply: (target, self, values) => Reflect.apply(target as () => unknown, self, see(values)),
		construct: (target, values, made) => Reflect.construct(target as never, see(values), made) as object,
	});
}

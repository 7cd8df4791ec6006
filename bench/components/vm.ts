import { readFile } from "node:fs/promises";
import { buildMeteredQuickJs, getOriginalQuickJsUrl } from "@tripline/sandbox/artifact";
import { Engine } from "@tripline/sandbox/engine";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";

const ROUNDS = 9;
/** Mostly loop iterations, which the meter counts. */
const CODE = `
(() => {
	let sum = 0;
	for (let nth = 0; nth < 100000; nth++) sum = (sum * 31 + nth) | 0;
	const words = [];
	for (let nth = 0; nth < 5000; nth++) words.push("word " + (sum ^ nth));
	return words.sort().join(" ").length;
})()`;

export const compileMetered = async (): Promise<WebAssembly.Module> =>
	WebAssembly.compile(await buildMeteredQuickJs(await readOriginal()));

/** The overhead of metering for computing code. */
export async function measureMetering(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress("metering");
	const plain = evaluator(await WebAssembly.compile(await readOriginal()));
	const metered = evaluator(await compileMetered());
	const createSide = (run: () => void) => () => ({ calls: 1, run });
	const compared = await compare({ rounds: ROUNDS, floor: createSide(plain), ours: createSide(metered) });
	return [{ what: "loops and a sort in the VM, metered / not", unit: "µs", ...compared }];
}

function evaluator(module: WebAssembly.Module): () => void {
	const engine = new Engine(module);
	const { quickJs } = engine;
	if (quickJs.fuel !== undefined) {
		quickJs.fuel.value = BigInt(Number.MAX_SAFE_INTEGER);
		quickJs.pages.value = 1024;
	}
	quickJs._initialize();
	if (quickJs.qjs_init() !== 0) throw new Error("the engine could not be started");
	const file = engine.writeText("bench").at;
	return () => {
		if (quickJs.qjs_is_exception(engine.evaluate(CODE, file))) throw new Error("the code threw");
	};
}

async function readOriginal(): Promise<Uint8Array<ArrayBuffer>> {
	return readFile(new URL(getOriginalQuickJsUrl()));
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { buildMeteredQuickJs, getOriginalQuickJsUrl } from "../src/artifact.ts";
import { meter } from "../src/meter.ts";
import { type TinyExports, tinyModule } from "./tiny-module.ts";

const EXPORTS = ["memory", "rounds", "wideRounds", "ask", "grow", "fill", "copy", "idle"];
const metering = { exports: EXPORTS, calls: {}, maxPages: 6 };

function tiny(
	fuel: bigint,
	more: Partial<typeof metering & { calls: Record<string, number> }> = {},
): TinyExports {
	const module = new WebAssembly.Module(meter(tinyModule(), { ...metering, ...more }));
	const exports = new WebAssembly.Instance(module, { env: { unused: () => 0 } }).exports as TinyExports;
	exports.fuel.value = fuel;
	exports.pages.value = 3;
	return exports;
}

const countUsed = (act: (exports: TinyExports) => void) => {
	const exports = tiny(1_000_000n);
	act(exports);
	return 1_000_000 - Number(exports.fuel.value);
};

describe("a metered module", () => {
	test("charges 1 per loop iteration, and nothing without a loop", () => {
		assert.equal(
			countUsed(({ rounds }) => rounds(1)),
			1,
		);
		assert.equal(
			countUsed(({ rounds }) => rounds(1000)),
			1000,
		);
		assert.equal(
			countUsed(({ idle }) => idle(5)),
			0,
		);
	});

	test("charges more for larger loop bodies and for host calls", () => {
		assert.equal(
			countUsed(({ wideRounds }) => wideRounds(1000)),
			2000,
		);
		assert.equal(
			countUsed(({ ask }) => ask(1)),
			32,
		);
	});

	test("charges 1 per 32 bytes filled or copied", () => {
		assert.equal(
			countUsed(({ fill }) => fill(64_000)),
			2000,
		);
		assert.equal(
			countUsed(({ copy }) => copy(3200)),
			100,
		);
		const exports = tiny(1_000_000n);
		exports.fill(16);
		assert.deepEqual([...new Uint8Array(exports.memory.buffer, 0, 17)], [...Array(16).fill(7), 0]);
		exports.copy(9);
		assert.deepEqual([...new Uint8Array(exports.memory.buffer, 0, 10)], [...Array(8).fill(7), 0, 7]);
	});

	test("charges the given cost for calls of named functions", () => {
		const exports = tiny(100n, { calls: { idle: 12 } });
		assert.equal(exports.idle(5), 5);
		assert.equal(exports.fuel.value, 88n);
		assert.throws(() => tiny(1n, { calls: { none: 1 } }), /does not export none/);
	});

	test("traps when the fuel falls below zero", () => {
		assert.equal(tiny(100n).rounds(100), 0);
		assert.throws(() => tiny(100n).rounds(101), WebAssembly.RuntimeError);
		assert.throws(() => tiny(100n).rounds(-1), WebAssembly.RuntimeError);
		assert.throws(() => tiny(100n).fill(3300), WebAssembly.RuntimeError);
		assert.throws(() => tiny(100n).copy(3300), WebAssembly.RuntimeError);
	});

	test("cannot grow its memory beyond `pages`", () => {
		const exports = tiny(0n);
		assert.equal(exports.grow(1), 1);
		assert.equal(exports.grow(2), -1);
		assert.equal(exports.grow(-1), -1);
		assert.equal(exports.grow(1), 2);
		assert.equal(exports.grow(1), -1);
		exports.pages.value = 1;
		assert.equal(exports.grow(0), -1);
		exports.pages.value = 1000;
		assert.equal(exports.grow(4), -1);
		assert.equal(exports.grow(3), 3);
	});

	test("has the requested exports and two more", () => {
		const module = new WebAssembly.Module(meter(tinyModule(), { ...metering, exports: ["rounds"] }));
		const names = WebAssembly.Module.exports(module).map(({ name }) => name);
		assert.deepEqual(names, ["rounds", "fuel", "pages"]);
		assert.throws(() => meter(tinyModule(), { ...metering, exports: ["none"] }), /does not export none/);
	});

	test("rejects unknown instructions and those with state outside memory", () => {
		for (const [name, instructions] of [
			["try", [0x06, 0x40, 0x0b, 0x20, 0]],
			["a vector", [0xfd, 12, ...Array(16).fill(0), 0x1a, 0x20, 0]],
			["an atomic", [0xfe, 3, 0, 0x20, 0]],
			["table.set", [0x41, 0, 0xd0, 0x70, 0x26, 0, 0x20, 0]],
			["table.grow", [0xd0, 0x70, 0x41, 1, 0xfc, 15, 0]],
			["data.drop", [0xfc, 9, 0, 0x20, 0]],
		] as const) {
			assert.throws(() => meter(tinyModule(instructions), metering), /unknown instruction/, name);
		}
	});

	test("rejects a truncated module", () => {
		const whole = tinyModule();
		for (let length = 8; length < whole.length; length += 7) {
			assert.throws(() => meter(whole.subarray(0, length), metering), Error);
		}
	});
});

describe("the engine", () => {
	const original = readFileSync(new URL(getOriginalQuickJsUrl()));

	test("is reproducible and valid", async () => {
		const metered = await buildMeteredQuickJs(original);
		assert.ok(WebAssembly.validate(metered));
		assert.equal(Buffer.compare(metered, await buildMeteredQuickJs(original)), 0);
	});

	test("rejects any engine other than the tested one", async () => {
		const changed = new Uint8Array(original);
		changed[changed.length - 1] = 1 + (changed.at(-1) ?? 0);
		await assert.rejects(
			buildMeteredQuickJs(changed),
			/quickjs\.wasm has the SHA-256 .* install the packages again/,
		);
	});

	test("imports only what the host provides", async () => {
		const imports = WebAssembly.Module.imports(new WebAssembly.Module(await buildMeteredQuickJs(original)));
		assert.deepEqual([...new Set(imports.map(({ module }) => module))], ["env", "wasi_snapshot_preview1"]);
		assert.equal(imports.length, 12);
	});
});

import { type Bytes, concatBytes, encodeNumber, prefixLength } from "./encoding.ts";
import { END, Reader } from "./instructions.ts";
import { meterCode, type Places } from "./metered-code.ts";

export interface Metering {
	/** Exports to keep besides `fuel` and `pages`; an instance with fewer exports is created faster. */
	readonly exports: readonly string[];
	/** Cost per call of exported functions that are slow although they contain no loop. */
	readonly calls: Readonly<Record<string, number>>;
	/** The maximum size of its memory in pages of 64 KiB. */
	readonly maxPages: number;
}

/**
 * Instruments a WebAssembly module to meter its work: each loop iteration takes 1 to 10 from the global `fuel` (i64),
 * each copy or fill of memory 1 per 32 bytes, each host call 32, and below zero it traps. Its memory grows to at most the
 * global `pages` (i32). Calls of its own functions are free: charging them would cost a third of the speed, and
 * recursion is bounded by the stack.
 */
export function meter(module: Uint8Array, metering: Metering): Uint8Array<ArrayBuffer> {
	const sections = readSections(module);
	const imports = readImports(getSection(sections, IMPORT));
	const types = readCount(getSection(sections, TYPE));
	const functions = imports.length + readCount(getSection(sections, FUNCTION));
	const globals = readCount(getSection(sections, GLOBAL));
	const places: Places = {
		imported: imports.length,
		fuel: globals,
		pages: globals + 1,
		copy: functions,
		fill: functions + 1,
		grow: functions + 2,
	};
	const costs = listCosts(getSection(sections, EXPORT), metering.calls, imports.length);
	const [three, one] = [encodeNumber(types), encodeNumber(types + 1)];
	const rewrite: Record<number, (body: Uint8Array) => Uint8Array> = {
		[TYPE]: (body) =>
			appendEntries(body, [
				[0x60, 3, I32, I32, I32, 0],
				[0x60, 1, I32, 1, I32],
			]),
		[FUNCTION]: (body) => appendEntries(body, [three, three, one]),
		[MEMORY]: (body) => boundMemory(body, metering.maxPages),
		[GLOBAL]: (body) =>
			appendEntries(body, [
				[I64, 1, 0x42, 0, END],
				[I32, 1, 0x41, 0, END],
			]),
		[EXPORT]: (body) => filterExports(body, metering.exports, places),
		[CODE]: (body) => meterCode(body, places, costs),
	};
	const written = sections
		.filter(({ id }) => id !== CUSTOM)
		.map(({ id, body }) => section(id, rewrite[id]?.(body) ?? body));
	return concatBytes([module.subarray(0, 8), ...written]);
}

const [CUSTOM, TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, CODE] = [0, 1, 2, 3, 5, 6, 7, 10];
const [I32, I64] = [0x7f, 0x7e];

interface Section {
	readonly id: number;
	readonly body: Uint8Array;
}

function readSections(module: Uint8Array): Section[] {
	const reader = new Reader(module, 8);
	const sections: Section[] = [];
	while (reader.at < module.length)
		sections.push({ id: reader.readByte(), body: reader.take(reader.readNumber()) });
	return sections;
}

function getSection(sections: readonly Section[], id: number): Uint8Array {
	const found = sections.find((section) => section.id === id);
	if (found === undefined) throw new Error(`the module has no section ${id}`);
	return found.body;
}

const readCount = (body: Uint8Array) => new Reader(body).readNumber();

/** The names of the imported functions; other imports are rejected. */
function readImports(body: Uint8Array): string[] {
	const reader = new Reader(body);
	return Array.from({ length: reader.readNumber() }, () => {
		reader.take(reader.readNumber());
		const name = decodeText(reader.take(reader.readNumber()));
		if (reader.readByte() !== 0) throw new Error(`${name} is an import, but not a function`);
		reader.skipNumber();
		return name;
	});
}

function appendEntries(body: Uint8Array, entries: readonly Bytes[]): Uint8Array {
	const reader = new Reader(body);
	const count = reader.readNumber() + entries.length;
	return concatBytes([encodeNumber(count), body.subarray(reader.at), ...entries]);
}

function boundMemory(body: Uint8Array, maxPages: number): Uint8Array {
	const reader = new Reader(body);
	if (reader.readNumber() !== 1) throw new Error("the module must have one memory");
	reader.readByte();
	return concatBytes([[1, 1], encodeNumber(reader.readNumber()), encodeNumber(maxPages)]);
}

interface Export {
	readonly index: number;
	readonly entry: Uint8Array;
}

function readExports(body: Uint8Array, wanted: readonly string[]): [string, Export][] {
	const reader = new Reader(body);
	const found = new Map<string, Export>();
	for (let left = reader.readNumber(); left > 0; left--) {
		const from = reader.at;
		const name = decodeText(reader.take(reader.readNumber()));
		reader.readByte();
		found.set(name, { index: reader.readNumber(), entry: body.subarray(from, reader.at) });
	}
	return wanted.map((name) => {
		const entry = found.get(name);
		if (entry === undefined) throw new Error(`the module does not export ${name}`);
		return [name, entry];
	});
}

function filterExports(body: Uint8Array, wanted: readonly string[], { fuel, pages }: Places): Uint8Array {
	const kept = readExports(body, wanted).map(([, { entry }]) => entry);
	const added = Object.entries({ fuel, pages }).map(([name, index]) =>
		concatBytes([encodeNumber(name.length), new TextEncoder().encode(name), [3], encodeNumber(index)]),
	);
	return concatBytes([encodeNumber(kept.length + added.length), ...kept, ...added]);
}

/** The cost charged at the start of functions, by their index in the code section. */
const listCosts = (exports: Uint8Array, calls: Metering["calls"], imported: number) =>
	new Map(
		readExports(exports, Object.keys(calls)).map(([name, { index }]) => [index - imported, calls[name] ?? 0]),
	);

const section = (id: number, body: Uint8Array) => concatBytes([[id], prefixLength(body)]);
const decodeText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

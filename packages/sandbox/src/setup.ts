/**
 * Runs once in each engine, before any user code: takes the functions that the host provides and returns those that the
 * host calls. User code can replace built-ins, so this keeps its own references to those it needs.
 *
 * - `log(line)` takes a line and returns whether there is room for more, `skip()` counts an omitted line
 * - `random()` returns an integer below 2 ** 53
 * - `ask(text)` returns a promise of "=" and JSON, or of "!" and an error message
 */
export const SETUP = `(log, skip, random, ask) => {
	"use strict";
	const { parse, stringify } = JSON;
	const { apply, defineProperty } = Reflect;
	const { slice } = String.prototype;
	const symbolText = Symbol.prototype.toString;
	const functionText = Function.prototype.toString;
	const { Error, TypeError } = globalThis;

	let room = true;
	const print = (...values) => {
		if (!room) return skip();
		let line = "";
		for (let index = 0; index < values.length; index++) line += (index === 0 ? "" : " ") + renderValue(values[index]);
		room = log(line) === 1;
	};
	const renderValue = (value) => {
		try {
			switch (typeof value) {
				case "string":
					return value;
				case "object":
					if (value instanceof Error) return value.name + ": " + value.message;
					return stringify(value) ?? "undefined";
				case "function":
					return "[function]";
				case "symbol":
					return apply(symbolText, value, []);
				case "bigint":
					return value + "n";
				default:
					return "" + value;
			}
		} catch {
			return "[cannot be shown]";
		}
	};
	const defineHidden = (object, name, value) =>
		defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
	defineHidden(globalThis, "console", { log: print, info: print, warn: print, error: print, debug: print });

	let state = null;
	const next = () => {
		const sum = (state[0] + state[1] + state[3]) | 0;
		state[3] = (state[3] + 1) | 0;
		state[0] = state[1] ^ (state[1] >>> 9);
		state[1] = (state[2] + (state[2] << 3)) | 0;
		state[2] = (((state[2] << 21) | (state[2] >>> 11)) + sum) | 0;
		return sum >>> 0;
	};
	const nextRandom = () => {
		if (state === null) {
			const number = random();
			state = { __proto__: null, 0: number | 0, 1: (number / 4294967296) | 0, 2: 0x2545f491, 3: 1 };
			for (let round = 0; round < 15; round++) next();
		}
		return ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
	};
	defineHidden(Math, "random", nextRandom);
	// The clock stands still while code computes.
	delete globalThis.performance;

	const http = async (request) => {
		const text = stringify(request);
		if (text === undefined) throw new TypeError("http needs an object that describes the request");
		const answer = await ask(text);
		if (answer[0] !== "=") throw new Error(apply(slice, answer, [1]));
		return parse(apply(slice, answer, [1]));
	};

	const describe = (value) => {
		try {
			if (typeof value === "object" && value !== null) {
				const { name, message } = value;
				const title = typeof name === "string" && name !== "" ? name : "Error";
				if (typeof message === "string") return message === "" ? title : title + ": " + message;
			}
		} catch {}
		return renderValue(value);
	};
	const readStack = (value) => {
		try {
			const { stack } = value;
			return typeof stack === "string" ? stack : "";
		} catch {
			return "";
		}
	};

	return {
		start: (main, input) => main(parse(input)),
		json: (value) => stringify(value),
		offerHttp: () => defineHidden(globalThis, "http", http),
		readSource: (value) => apply(functionText, value, []),
		describe,
		readStack,
	};
}`;

/** The functions of SETUP that the host calls. */
export const FUNCTIONS = ["start", "json", "offerHttp", "readSource", "describe", "readStack"] as const;
/** The arguments of SETUP; the engine calls the host by their first letters. */
export const HOST_FUNCTIONS = ["log", "skip", "random", "ask"] as const;

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "@tripline/contract/workflows";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";

/** The trigger context: JSON as it stands, `@file`, or `-` for standard input. */
export async function triggerContext(io: Io, given: string | undefined): Promise<JsonObject> {
	if (given === undefined) return {};
	if (given === "-") return objectIn(await io.stdin(), "standard input");
	return given.startsWith("@")
		? objectIn(fileText(io, given.slice(1)), given.slice(1))
		: objectIn(given, "--input");
}

function fileText(io: Io, path: string): string {
	try {
		return readFileSync(resolve(io.cwd, path), "utf8").replace(/^\uFEFF/, "");
	} catch (error) {
		throw new CliProblem(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { code: 2 });
	}
}

function objectIn(text: string, from: string): JsonObject {
	try {
		const value = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	} catch {
		// Told below.
	}
	throw new CliProblem(`${from} is not a JSON object`, {
		code: 2,
		hint: `--input '{"name":"value"}', --input @file.json, or --input - for standard input`,
	});
}

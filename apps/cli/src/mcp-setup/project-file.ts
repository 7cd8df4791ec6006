import { readFileSync } from "node:fs";
import { CliProblem } from "../command.ts";
import { renderJsonLike, replaceFile } from "../replace-file.ts";
import { unreadableProblem } from "../text-file.ts";

const NAME = "tripline";
type JsonObject = Readonly<Record<string, unknown>>;

/** Adds our server to the file, which messages name as `file`; false if it is there already. */
export function putServer(path: string, file: string, server: object): boolean {
	const before = readText(path, file);
	const content = before === null || before.trim() === "" ? {} : assertObject(parseJson(before, file), file);
	const servers =
		content.mcpServers === undefined ? {} : assertObject(content.mcpServers, `mcpServers in ${file}`);
	if (JSON.stringify(servers[NAME]) === JSON.stringify(server)) return false;
	replaceFile(path, renderJsonLike(before, { ...content, mcpServers: { ...servers, [NAME]: server } }));
	return true;
}

function readText(path: string, file: string): string | null {
	try {
		return readFileSync(path, "utf8");
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT") return null;
		throw unreadableProblem(file, error);
	}
}

function parseJson(text: string, file: string): unknown {
	try {
		return JSON.parse(text.replace(/^\ufeff/, ""));
	} catch {
		throw invalidProblem(file);
	}
}

function assertObject(value: unknown, what: string): JsonObject {
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
	throw invalidProblem(what);
}

const invalidProblem = (what: string): CliProblem =>
	new CliProblem(`${what} is not a JSON object and was not changed`, {
		hint: "correct it or move it away, and run this again",
	});

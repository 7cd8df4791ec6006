import { basename, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { CliProblem } from "../command.ts";
import { readSecret } from "../config.ts";
import { isObject, parseData } from "../data-file.ts";
import type { Io } from "../io.ts";
import { findNearest } from "../nearest.ts";
import { readPrivateText } from "../private-file.ts";
import type { Credential } from "./credential.ts";

export const DEFAULT_FILE = "credentials.yaml";

/** Reads all credentials of a file, which only its owner may read. */
export function readCredentials(file: string, io: Io): readonly Credential[] {
	const text = readPrivateText(resolve(io.cwd, file), file);
	const format = detectFormat(file);
	const credentials = format === "env" ? parseLines(text, file) : parseYaml(text, file, io);
	if (credentials.length > 0) return credentials;
	throw new CliProblem(`there is no credential in ${file}`, {
		hint: "tripline creds push --help shows the format",
	});
}

function detectFormat(file: string): "yaml" | "env" {
	const name = basename(file).toLowerCase();
	if (/\.(?:ya?ml|json)$/.test(name)) return "yaml";
	if (/^\.env(?:\.|$)|\.env$/.test(name)) return "env";
	throw new CliProblem(`${file}: unknown format; the name must end in .yaml, .yml, .json or .env`, {
		code: 2,
		hint: "tripline creds push --help shows the formats",
	});
}

/** `name: { auth_recipe, fields }`. */
function parseYaml(text: string, file: string, io: Io): Credential[] {
	const entries = Object.entries(parseData(text, file, { isSecret: true }));
	return entries.map(([name, value]) => {
		const at = `${file}: ${name}`;
		if (!isObject(value)) throw new CliProblem(`${at} must be an object with auth_recipe and fields`);
		const { auth_recipe: authRecipe, fields, ...more } = value;
		const [unknown] = Object.keys(more);
		if (unknown !== undefined) throw new CliProblem(`${at} has a key that is neither auth_recipe nor fields`);
		if (typeof authRecipe !== "string")
			throw new CliProblem(`${at}: auth_recipe must name an auth recipe`, {
				hint: "tripline auth-recipe list shows them",
			});
		if (!isObject(fields)) throw new CliProblem(`${at}: fields must be an object of names and values`);
		return { name, authRecipe, fields: readFields(fields, at, io) };
	});
}

/** Reads fields and their values from a JSON object. */
export function readFields(fields: JsonObject, at: string, io: Io): ReadonlyMap<string, string> {
	return new Map(
		Object.entries(fields).map(([field, value]) => [field, resolveValue(value, `${at}.${field}`, io)]),
	);
}

/** Numbers are refused: a password such as 0123 or 1e3 has already been changed by the parser. */
function resolveValue(value: Json, at: string, io: Io): string {
	if (typeof value !== "string" || value === "")
		throw new CliProblem(`${at} must be a string`, {
			hint: value === "" || value === null ? "it is empty" : 'write it in quotes: "..."',
		});
	const variable = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(value)?.[1];
	if (variable === undefined) return value;
	const found = readSecret(io, variable);
	if (found !== undefined) return found;
	throw new CliProblem(`${at}: ${variable} is not set`, {
		hint: `set ${variable}, or write it into .env`,
	});
}

const LINE = /^([A-Za-z0-9]\w*?)__([A-Za-z]\w*)$/;
const RECIPE = "auth_recipe";

/** Reads `NAME__AUTH_RECIPE=id` and `NAME__FIELD=value`; names become lower case. */
function parseLines(text: string, file: string): Credential[] {
	const found = new Map<string, Map<string, string>>();
	for (const [variable, value = ""] of Object.entries(parseEnv(text))) {
		const [, name, field] = LINE.exec(variable) ?? [];
		if (name === undefined || field === undefined) continue;
		const fields = found.get(name.toLowerCase()) ?? new Map<string, string>();
		if (value === "") throw new CliProblem(`${file}: ${variable} is empty`);
		fields.set(field.toLowerCase(), value);
		found.set(name.toLowerCase(), fields);
	}
	return [...found].map(([name, fields]) => {
		const authRecipe = fields.get(RECIPE);
		if (authRecipe === undefined) throw missingRecipeProblem(name, [...fields.keys()], file);
		return { name, authRecipe, fields: new Map([...fields].filter(([field]) => field !== RECIPE)) };
	});
}

function missingRecipeProblem(name: string, fields: readonly string[], file: string): CliProblem {
	const prefix = name.toUpperCase();
	const isMeant = fields.some((field) => findNearest(field, [RECIPE]) !== null);
	return new CliProblem(`${file}: ${prefix}__AUTH_RECIPE is missing`, {
		hint: isMeant
			? "its name is misspelled"
			: `add it, or move ${prefix}__... to another file if it is not a credential`,
	});
}

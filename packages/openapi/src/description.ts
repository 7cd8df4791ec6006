import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "@tripline/engine/meter";
import { TooMuchWork } from "@tripline/engine/meter";
import { DescriptionProblem } from "./problem.ts";
import { getMember, isObject, toList, toObject, toText } from "./values.ts";

/** An OpenAPI description, checked: its depth and the number of its parts are bounded. */
export interface Description {
	/** In the shape of OpenAPI 3. */
	readonly document: JsonObject;
	/** As it was written, such as 3.0.3 or 2.0. */
	readonly version: string;
}

/** Two and a half seconds; the largest descriptions in use need a tenth of it. */
export const MAX_DESCRIPTION_UNITS = 100_000_000;

const MAX_DEPTH = 200;
/** A part is visited, and some are copied when the description is converted. */
const PART_UNITS = 4;
const CHARACTERS_PER_UNIT = 4;
/** The conversion repeats every body and response for each of them. */
const MAX_MEDIA_TYPES = 20;

/** Reads JSON or YAML. Throws `DescriptionProblem`. */
export async function readDescription(text: string, meter: Meter): Promise<Description> {
	const document = await boundWork(async () => {
		meter.spend(text.length / CHARACTERS_PER_UNIT);
		const value = /^\s*[{[]/.test(text) ? parseJson(text) : await parseYaml(text, meter);
		checkParts(value, 0, meter);
		return value;
	});
	if (!isObject(document)) throw new DescriptionProblem("the description must be an object");
	const { openapi, swagger } = document;
	if (typeof openapi === "string" && /^3\.[01]\./.test(openapi)) return { document, version: openapi };
	if (/^2\.0/.test(String(swagger ?? "")) || swagger === 2)
		return { document: await boundWork(() => convertSwagger(document, meter)), version: "2.0" };
	const found = openapi ?? swagger;
	throw new DescriptionProblem(
		found === undefined
			? 'this is not an OpenAPI description: it has neither "openapi" nor "swagger"'
			: `OpenAPI ${JSON.stringify(found).slice(0, 40)} is not supported; supported are 3.0, 3.1 and Swagger 2.0`,
	);
}

/** Runs out of units with a message for the person who sent the description. */
export async function boundWork<Result>(work: () => Result | Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof TooMuchWork) throw new DescriptionProblem(TOO_LARGE);
		throw error;
	}
}

const TOO_LARGE =
	"the description takes too long to read: it is too large, or its parts refer to each other too often";

function parseJson(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch (error) {
		throw new DescriptionProblem(`the JSON cannot be read: ${(error as Error).message.slice(0, 200)}`);
	}
}

async function parseYaml(text: string, meter: Meter): Promise<Json> {
	const { readPlainYaml, UnusualYaml } = await import("./yaml.ts");
	try {
		return readPlainYaml(text, meter);
	} catch (error) {
		if (!(error instanceof UnusualYaml)) throw error;
		const { readAnyYaml } = await import("./any-yaml.ts");
		return readAnyYaml(text, error.message);
	}
}

/** Aliases of YAML make a value appear at many places: it is counted at each of them. */
function checkParts(value: Json, depth: number, meter: Meter): void {
	meter.spend(PART_UNITS);
	if (typeof value !== "object" || value === null) return;
	if (depth > MAX_DEPTH)
		throw new DescriptionProblem(`the description nests deeper than ${MAX_DEPTH} levels`);
	if (Array.isArray(value)) {
		for (const item of value) checkParts(item, depth + 1, meter);
		return;
	}
	for (const name in value) {
		if (name === "__proto__")
			throw new DescriptionProblem('the description must not contain the key "__proto__"');
		checkParts(value[name] as Json, depth + 1, meter);
	}
}

/** The library changes its argument. It is loaded only for descriptions that need it. */
async function convertSwagger(document: JsonObject, meter: Meter): Promise<JsonObject> {
	checkMediaTypes(document, meter);
	inlineBodies(document, meter);
	meter.spend(meter.left / 4);
	const { upgradeFromTwoToThree } = await import("@scalar/openapi-upgrader/2.0-to-3.0");
	try {
		return upgradeFromTwoToThree({ ...document, swagger: "2.0" }) as JsonObject;
	} catch (error) {
		throw new DescriptionProblem(`the Swagger 2.0 description is not valid: ${(error as Error).message}`);
	}
}

function checkMediaTypes(document: JsonObject, meter: Meter): void {
	const check = ({ consumes, produces }: JsonObject, where: string) => {
		if (Math.max(toList(consumes).length, toList(produces).length) > MAX_MEDIA_TYPES)
			throw new DescriptionProblem(`${where} lists more than ${MAX_MEDIA_TYPES} media types`);
	};
	check(document, "the description");
	for (const [path, item] of Object.entries(toObject(document.paths)))
		for (const [method, operation] of Object.entries(toObject(item))) {
			meter.spend(1);
			check(toObject(operation), `${method} ${path}`);
		}
}

/** The library makes bodies only of parameters that are not referred to. */
function inlineBodies(document: JsonObject, meter: Meter): void {
	const shared = toObject(document.parameters);
	const inline = (given: JsonObject) => {
		const list = toList(given.parameters);
		meter.spend(4 * list.length);
		if (list.length === 0) return;
		given.parameters = list.map((one) => {
			const [place, name = "", ...more] = parseReference(toObject(one).$ref) ?? [];
			const target = place === "parameters" && more.length === 0 ? getMember(shared, name) : undefined;
			return isObject(target) && (target.in === "body" || target.in === "formData") ? { ...target } : one;
		});
	};
	for (const item of Object.values(toObject(document.paths))) {
		if (!isObject(item)) continue;
		inline(item);
		for (const operation of Object.values(item)) if (isObject(operation)) inline(operation);
	}
}

/** The address of a local reference as its steps; null if it leads elsewhere. */
export function parseReference(ref: Json | undefined): string[] | null {
	const text = toText(ref);
	if (!text.startsWith("#/") || text.length > MAX_REFERENCE_LENGTH) return null;
	const steps = text.slice(2).split("/");
	try {
		return steps.map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
	} catch {
		return null;
	}
}

const MAX_REFERENCE_LENGTH = 1_000;

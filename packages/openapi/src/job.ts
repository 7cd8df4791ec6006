import type { Issue } from "@tripline/contract/failures";
import {
	type DescribedOperations,
	ImportDescription,
	MAX_DESCRIPTION_BYTES,
} from "@tripline/contract/openapi";
import { Meter } from "@tripline/engine/meter";
import { boundWork, type Description, readDescription } from "./description.ts";
import { listOperations } from "./operations.ts";
import { DescriptionProblem } from "./problem.ts";
import { type MadeRecipe, toRecipe } from "./recipe.ts";
import { listServers } from "./server.ts";
import { shorten, toObject, toText } from "./values.ts";

/** A description to read, and what is wanted of it. */
export interface DescriptionJob {
	/** The bytes of the description, or of the whole request if that is null. */
	readonly content: Uint8Array;
	readonly request: ImportDescription | null;
	/** Where the description was read from. */
	readonly location?: string | undefined;
	/** Work that it may take. */
	readonly maxUnits: number;
}

export type DescriptionOutcome =
	| {
			readonly kind: "operations" /** `DescribedOperations` as JSON, which may be large. */;
			readonly text: string;
	  }
	| { readonly kind: "recipe"; readonly made: MadeRecipe; readonly request: Wanted }
	| { readonly kind: "problem"; readonly issues: readonly Issue[] };

/** What the caller of a job needs of the request. */
interface Wanted {
	readonly id: string | undefined;
	readonly save: boolean;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Never rejects because of the content: its problems are outcomes. */
export async function runDescriptionJob(job: DescriptionJob): Promise<DescriptionOutcome> {
	try {
		return await run(job);
	} catch (error) {
		if (error instanceof DescriptionProblem) return toProblem("description", error.message);
		if (error instanceof RangeError) return toProblem("description", "the description nests too deeply");
		throw error;
	}
}

const toProblem = (path: string, message: string): DescriptionOutcome => ({
	kind: "problem",
	issues: [{ path, message }],
});

async function run({
	content,
	request: given,
	location,
	maxUnits,
}: DescriptionJob): Promise<DescriptionOutcome> {
	const text = decode(content);
	const request = given ?? readRequest(text);
	if ("kind" in request) return request;
	const description = given === null ? request.description : text;
	if (description === undefined) return toProblem("url", "cannot be used in a request of this size");
	if (description.length > MAX_DESCRIPTION_BYTES)
		return toProblem("description", `must be at most ${MAX_DESCRIPTION_BYTES / 1024 / 1024} MiB`);
	const meter = new Meter(maxUnits);
	const read = await readDescription(description, meter);
	const { id, operations, server, save = false } = request;
	return boundWork((): DescriptionOutcome => {
		if (operations === undefined)
			return { kind: "operations", text: JSON.stringify(describe(read, request, meter)) };
		return {
			kind: "recipe",
			made: toRecipe(read, { id, operations, server, location }, meter),
			request: { id, save },
		};
	});
}

function decode(content: Uint8Array): string {
	try {
		return decoder.decode(content);
	} catch {
		throw new DescriptionProblem("the description is not valid UTF-8");
	}
}

function readRequest(text: string): ImportDescription | DescriptionOutcome {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return toProblem("", "the body is not valid JSON");
	}
	const read = ImportDescription.safeParse(value);
	if (read.success) return read.data;
	const issues = read.error.issues
		.slice(0, 20)
		.map(({ path, message }) => ({ path: path.join("."), message }));
	return { kind: "problem", issues };
}

function describe(read: Description, { deprecated }: ImportDescription, meter: Meter): DescribedOperations {
	const { document, version } = read;
	return {
		title: shorten(toText(toObject(document.info).title).slice(0, 1_000), 200),
		version: version.slice(0, 20),
		servers: listServers(document.servers).map(({ url }) => toText(url).slice(0, 500)),
		...listOperations(read, meter, { deprecated }),
	};
}

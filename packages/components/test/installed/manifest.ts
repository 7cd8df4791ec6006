import type { Json } from "@tripline/contract/json";
import type { Manifest } from "@tripline/contract/registry";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Sandbox, SandboxJob, SandboxOutcome } from "@tripline/platform/sandbox";
import { recipeWith } from "../recipes/recipe.ts";

export type CodeManifest = Extract<Manifest, { kind: "code" }>;
export type RecipeManifest = Extract<Manifest, { kind: "recipe" }>;

const common = {
	id: "greeter",
	version: "1.2.3",
	title: "Greeter",
	description: "Greets.",
	publisher: "tests",
	license: "MIT",
	tags: ["text"],
	hosts: [],
	credentials: [],
};

export const codeWith = (changed: Partial<CodeManifest> = {}): CodeManifest => ({
	...common,
	kind: "code",
	params: {
		type: "object",
		properties: { name: { type: "string" }, greeting: { type: "string", default: "Hello" } },
		required: ["name"],
	},
	output: { type: "string" },
	code: "greet",
	examples: [{ title: "Ada", params: { name: "Ada" }, output: "Hello Ada" }],
	...changed,
});

export const recipeManifestWith = (changed: Partial<RecipeManifest> = {}): RecipeManifest => {
	const { id: _, title: __, description: ___, ...recipe } = recipeWith();
	return { ...common, kind: "recipe", hosts: ["api.example.com"], recipe, ...changed };
};

type Program = (
	input: { [name: string]: never },
	http: (request: JsonObject) => Promise<{ status: number; headers: JsonObject; data: Json }>,
) => Json | Promise<Json>;

/** A sandbox that runs the test's functions; the code is the function's name. */
export function programs(
	known: Readonly<Record<string, Program>>,
): Pick<Sandbox, "run"> & { jobs: SandboxJob[] } {
	const jobs: SandboxJob[] = [];
	return {
		jobs,
		async run(job): Promise<SandboxOutcome> {
			jobs.push(job);
			const http = async (request: JsonObject) => {
				if (job.http === undefined) throw new Error("http is not defined");
				return JSON.parse(await job.http(JSON.stringify(request)));
			};
			try {
				const input = typeof job.input === "string" ? job.input : job.input();
				const output = await (known[job.code] as Program)(JSON.parse(input), http);
				return { ok: true, output: JSON.stringify(output), log: ["ran"] };
			} catch (error) {
				return { ok: false, reason: "threw", error: `Error: ${(error as Error).message} (line 1)`, log: [] };
			}
		},
	};
}

export const greet: Program = (input) => `${input.greeting} ${input.name}`;

import * as z from "zod";
import { type Method, method } from "./methods.ts";
import { PageParams, pickPage } from "./pages.ts";
import { INVALID_PARAMS, RequestProblem } from "./problems.ts";
import type { Prompt } from "./surface.ts";

const GetParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).default({}) });

export function promptMethods(prompts: readonly Prompt[]): [string, Method][] {
	const listed = prompts.map(({ name, title, description, arguments: args }) => ({
		name,
		title,
		description,
		arguments: args,
	}));

	return [
		[
			"prompts/list",
			method(PageParams, async ({ cursor }) => {
				const { items, ...next } = pickPage(listed, cursor);
				return { prompts: items, ...next };
			}),
		],
		[
			"prompts/get",
			method(GetParams, async ({ name, arguments: args }, { context }) => {
				const prompt = requirePrompt(prompts, name);
				const missing = prompt.arguments.filter((each) => each.required && !Object.hasOwn(args, each.name));
				if (missing.length > 0)
					throw new RequestProblem(
						INVALID_PARAMS,
						`the prompt ${name} needs the argument ${missing.map((each) => each.name).join(", ")}`,
					);
				return { ...(await prompt.get(args, context)) };
			}),
		],
	];
}

export function requirePrompt(prompts: readonly Prompt[], name: string): Prompt {
	const prompt = prompts.find((each) => each.name === name);
	if (prompt !== undefined) return prompt;
	const known = prompts.map((each) => each.name).join(", ");
	throw new RequestProblem(INVALID_PARAMS, `unknown prompt; the prompts are: ${known}`);
}

import * as z from "zod";
import { type Method, method } from "./methods.ts";
import { PageParams, pickPage } from "./pages.ts";
import { RESOURCE_NOT_FOUND, RequestProblem } from "./problems.ts";
import type { ResourceSurface } from "./surface.ts";

const ReadParams = z.object({ uri: z.string() });

export const resourceMethods = (resources: ResourceSurface): [string, Method][] => [
	[
		"resources/list",
		method(PageParams, async ({ cursor }, { context }) => {
			const { resources: items, nextCursor } = await resources.list(context, cursor);
			return { resources: items, ...(nextCursor !== undefined && { nextCursor }) };
		}),
	],
	[
		"resources/templates/list",
		method(PageParams, async ({ cursor }) => {
			const { items, ...next } = pickPage(resources.templates, cursor);
			return { resourceTemplates: items, ...next };
		}),
	],
	[
		"resources/read",
		method(ReadParams, async ({ uri }, { context, isModern }) => {
			const found = await resources.read(uri, context);
			if (found === null)
				throw new RequestProblem(
					RESOURCE_NOT_FOUND,
					"resource not found: resources/list and resources/templates/list list what exists",
					{ uri },
				);
			const { contents, ttlMs = 0 } = found;
			return { contents, ...(isModern && { ttlMs }) };
		}),
	],
];

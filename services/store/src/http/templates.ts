import { Failed, notFound } from "@tripline/contract/failures";
import { Id, Namespace } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import {
	EnsuredTemplate,
	EnsureTemplate,
	PatchedTemplate,
	PatchTemplate,
	Template,
	TemplatePage,
	TemplateQuery,
} from "@tripline/contract/templates";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { type Caller, resolveOwnerFilter } from "../domain/callers.ts";
import { checkSlots } from "../domain/templates.ts";
import { addMissingSlots, ensureTemplate } from "../storage/ensure-template.ts";
import { retryUntilUnchanged } from "../storage/retry.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Templates";
const TemplateId = z.object({ id: Id });
const Owner = z.strictObject({ owner_id: Namespace.optional() });

export function templateRoutes({ templates, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/templates",
			tag,
			summary: "Ensure a template",
			description:
				"Creates the template, or adds missing slots to the existing one of that name. Without owner_id the template is shared by every namespace.",
			body: EnsureTemplate,
			responses: {
				200: { description: "The template existed", body: EnsuredTemplate },
				201: { description: "The template was created", body: EnsuredTemplate },
			},
			async handle({ caller, body }) {
				checkSlots(body.slots);
				const owner = resolveOwnerFilter(caller, body.owner_id) ?? null;
				const ensured = await ensureTemplate({ templates, clock }, owner, body.name, body.slots);
				return reply(ensured.created ? 201 : 200, ensured);
			},
		}),
		route({
			method: "GET",
			path: "/templates",
			tag,
			summary: "List templates: an owner's own and the shared ones",
			query: TemplateQuery,
			responses: { 200: { description: "A page", body: TemplatePage } },
			async handle({ caller, query }) {
				const page = await templates.list({
					owner: resolveOwnerFilter(caller, query.owner_id),
					name: query.name,
					after: query.cursor,
					limit: query.limit,
				});
				return reply(200, { templates: page.items, next_cursor: page.next && encodeCursor(page.next) });
			},
		}),
		route({
			method: "GET",
			path: "/templates/{id}",
			tag,
			summary: "One template",
			params: TemplateId,
			query: Owner,
			responses: { 200: { description: "The template", body: z.object({ template: Template }) } },
			async handle({ caller, params, query }) {
				return reply(200, {
					template: await readVisible(params.id, resolveOwnerFilter(caller, query.owner_id)),
				});
			},
		}),
		route({
			method: "PATCH",
			path: "/templates/{id}",
			tag,
			summary: "Add missing slots to a template",
			description: "Existing slots stay unchanged; an existing name with another type gives 409.",
			params: TemplateId,
			body: PatchTemplate,
			responses: { 200: { description: "The template", body: PatchedTemplate } },
			async handle({ caller, params, body }) {
				checkSlots(body.slots);
				const owner = resolveOwnerFilter(caller, body.owner_id);
				const patched = await retryUntilUnchanged(async () => {
					const template = await readVisible(params.id, owner);
					if (template.owner_id === null && caller.kind === "partner") {
						throw new Failed({ kind: "forbidden", message: "a partner key cannot change a shared template" });
					}
					return addMissingSlots({ templates, clock }, template, body.slots);
				});
				return reply(200, patched);
			},
		}),
	];

	async function readVisible(id: string, owner: string | undefined): Promise<Template> {
		const template = await templates.findById(id);
		const isVisible = owner === undefined || template?.owner_id === null || template?.owner_id === owner;
		if (template === null || !isVisible) throw notFound();
		return template;
	}
}

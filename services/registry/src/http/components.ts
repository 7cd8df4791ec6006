import { invalid, notFound } from "@tripline/contract/failures";
import { ComponentAnswer, ComponentPage, VersionAnswer } from "@tripline/contract/market";
import { limit } from "@tripline/contract/paging";
import { RecipeId } from "@tripline/contract/recipes";
import { ComponentVersion } from "@tripline/contract/registry";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Listed } from "../domain/listing.ts";
import { buildPage, decodePlace, encodePlace } from "../domain/listing.ts";
import { Counted } from "./answers.ts";
import type { RegistryParts } from "./deps.ts";

const tag = "Components";
const DEFAULT_PAGE = 20;
const MAX_PAGE_SIZE = 100;
const MAX_CURSOR_LENGTH = 400;

const Query = z.strictObject({
	q: z.string().max(200).optional().meta({ description: "Words in id, title, description and tags" }),
	tag: z.string().max(64).optional(),
	sort: z.enum(["downloads", "recent"]).default("downloads"),
	limit: limit(DEFAULT_PAGE, MAX_PAGE_SIZE),
	cursor: z
		.string()
		.max(MAX_CURSOR_LENGTH, "is not a cursor of this list")
		.optional()
		.meta({ description: "`next_cursor` of the previous page" }),
});
/** Not validated: an impossible id is simply not found. */
const Id = z.object({ id: z.string() });

export function componentRoutes({ published, statistics }: RegistryParts): Route<unknown>[] {
	return [
		route({
			method: "GET",
			path: "/components",
			tag,
			open: true,
			summary: "Search and list the components of the market",
			query: Query,
			responses: { 200: { description: "A page", body: ComponentPage } },
			async handle({ query }) {
				const after = query.cursor === undefined ? null : decodePlace(query.cursor, query.sort);
				if (after === null && query.cursor !== undefined)
					throw invalid([{ path: "cursor", message: "is not a cursor of this list" }]);
				const [listed, downloads] = await Promise.all([published.all(), statistics.totals()]);
				const all = [...listed.values()].map((component) => ({
					component,
					downloads: downloads.get(component.id) ?? 0,
				}));
				const { found, next } = buildPage(all, { ...query, q: query.q, tag: query.tag, after });
				return reply(200, {
					components: found.map((each) => toItem(each.component, each.downloads)),
					next_cursor: next === null ? null : encodePlace(next),
				});
			},
		}),

		route({
			method: "GET",
			path: "/components/{id}",
			tag,
			open: true,
			summary: "Get a component: its latest version and the list of all versions",
			params: Id,
			responses: { 200: { description: "The component", body: ComponentAnswer } },
			async handle({ params }) {
				const listed = (await published.all()).get(params.id);
				if (listed === undefined) throw componentNotFound();
				const [latest, downloads] = await Promise.all([
					published.version(listed.id, listed.version),
					statistics.totals(),
				]);
				if (latest === null) throw componentNotFound();
				return reply(200, {
					...toItem(listed, downloads.get(listed.id) ?? 0),
					versions: listed.versions,
					manifest: latest.manifest,
				});
			},
		}),

		// Must come before the route whose last segment matches anything.
		route({
			method: "POST",
			path: "/components/{id}/installs",
			tag,
			open: true,
			summary: "Count an install",
			params: Id,
			body: z.strictObject({ version: ComponentVersion }),
			responses: {
				202: { description: "Counted; the count is written later together with others", body: Counted },
			},
			async handle({ params, body }) {
				const listed = (await published.all()).get(params.id);
				if (listed?.versions.some(({ version }) => version === body.version) !== true)
					throw componentNotFound();
				statistics.count(params.id);
				return reply(202, { counted: true });
			},
		}),

		route({
			method: "GET",
			path: "/components/{id}/{version}",
			tag,
			open: true,
			summary: "Get a version's manifest as it was hashed",
			description: "A version never changes. The installer compares its hash with the expected one.",
			params: Id.extend({ version: z.string() }),
			responses: { 200: { description: "The version", body: VersionAnswer } },
			async handle({ params: { id, version } }) {
				if (!RecipeId.safeParse(id).success || !ComponentVersion.safeParse(version).success)
					throw componentNotFound();
				const found = await published.version(id, version);
				if (found === null) throw componentNotFound();
				const { manifest, sha256, published_at } = found;
				return {
					status: 200,
					body: { id, version, sha256, published_at, manifest },
					headers: IMMUTABLE_HEADERS,
				};
			},
		}),
	];
}

const IMMUTABLE_HEADERS = { "cache-control": "public, max-age=31536000, immutable" };

const componentNotFound = () => notFound("component not found");

function toItem({ versions: _, ...listed }: Listed, downloads: number) {
	return { ...listed, downloads };
}

import type { Effects } from "@tripline/components/effects";
import { DeletedAnswer } from "@tripline/contract/entries";
import {
	ComponentDetail,
	ComponentList,
	InstallComponent,
	InstalledComponent,
} from "@tripline/contract/executor";
import { notFound } from "@tripline/contract/failures";
import { RecipeId } from "@tripline/contract/recipes";
import { type Component, mayHaveCredential } from "@tripline/engine/component";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Listed, Source } from "../catalogue/tenant-catalogue.ts";
import type { Caller } from "../domain/callers.ts";
import type { ExecutorParts } from "./deps.ts";

const tag = "Components";
const Id = z.object({ id: RecipeId });

export function componentRoutes({ catalogues, installs, tenants }: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/components",
			tag,
			open: true,
			summary: "List components",
			description:
				"Built-in components and seeded recipes; with the tenant header also the tenant's own recipes and installed components.",
			responses: { 200: { description: "All components", body: ComponentList } },
			async handle({ request }) {
				const caller = await tenants.findCaller(request);
				const catalogue = await catalogues.catalogue(caller?.namespace ?? null);
				return reply(200, { components: catalogue.list().map(toItem) });
			},
		}),

		route({
			method: "GET",
			path: "/components/{id}",
			tag,
			open: true,
			summary: "Get a component's parameters, output and examples",
			params: z.object({ id: z.string() }),
			responses: { 200: { description: "The component", body: ComponentDetail } },
			async handle({ params, request }) {
				const caller = await tenants.findCaller(request);
				const catalogue = await catalogues.catalogue(caller?.namespace ?? null);
				const component = catalogue.get(params.id);
				if (component === undefined) throw notFound("component not found");
				return reply(200, toDetail(component, catalogue.getSource(params.id)));
			},
		}),

		route({
			method: "PUT",
			path: "/components/{id}",
			tag,
			summary: "Install a component from the registry, or change its version",
			description: "The SHA-256 pins the version: a manifest with another hash is not installed.",
			params: Id,
			body: InstallComponent,
			responses: {
				200: { description: "Replaced", body: InstalledComponent },
				201: { description: "Installed", body: InstalledComponent },
			},
			async handle({ caller, params: { id }, body }) {
				const { manifest, sha256, installed_at, created } = await installs.install(
					caller.namespace,
					id,
					body,
				);
				const components =
					manifest.kind === "code"
						? [id]
						: Object.keys(manifest.recipe.operations).map((operation) => `${id}.${operation}`);
				const { version, hosts, credentials } = manifest;
				const answer = { id, version, sha256, installed_at, hosts, credentials, components };
				return reply(created ? 201 : 200, answer);
			},
		}),

		route({
			method: "DELETE",
			path: "/components/{id}",
			tag,
			summary: "Uninstall a component",
			description: "Workflows that use it fail from then on.",
			params: Id,
			responses: { 200: { description: "Uninstalled", body: DeletedAnswer } },
			async handle({ caller, params: { id } }) {
				if (!(await installs.uninstall(caller.namespace, id))) throw notFound("component not found");
				return reply(200, { deleted: true });
			},
		}),
	];
}

const toItem = ({ component: { id, version, title, description }, source }: Listed) => ({
	id,
	version,
	title,
	description,
	source,
});

const toDetail = (component: Component<Effects>, source: Source) => ({
	...toItem({ component, source }),
	params: component.schemas?.params ?? toJsonSchema(component.params, "input"),
	output: component.schemas?.output ?? toJsonSchema(component.output, "output"),
	expressions: component.expressions ?? {},
	hosts: component.hosts,
	takes_credentials: mayHaveCredential(component),
	auth_recipes: component.authRecipes ?? null,
	examples: component.examples,
});

const toJsonSchema = (schema: z.ZodType, io: "input" | "output") =>
	z.toJSONSchema(schema, { io, unrepresentable: "any" });

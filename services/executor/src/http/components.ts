import type { Effects } from "@tripline/components/effects";
import { ComponentDetail, ComponentList } from "@tripline/contract/executor";
import { notFound } from "@tripline/contract/failures";
import type { Component } from "@tripline/engine/component";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { ExecutorParts } from "./deps.ts";

const tag = "Components";

export function componentRoutes({ catalogue, tenants }: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/components",
			tag,
			open: true,
			summary: "What nodes can run",
			responses: { 200: { description: "All of them", body: ComponentList } },
			handle({ request }) {
				tenants.checkAccess(request);
				const components = catalogue.ids().flatMap((id) => catalogue.get(id) ?? []);
				return reply(200, { components: components.map(itemOf) });
			},
		}),

		route({
			method: "GET",
			path: "/components/{id}",
			tag,
			open: true,
			summary: "A component's parameters, output and examples",
			params: z.object({ id: z.string() }),
			responses: { 200: { description: "The component", body: ComponentDetail } },
			handle({ params, request }) {
				tenants.checkAccess(request);
				const component = catalogue.get(params.id);
				if (component === undefined) throw notFound("component not found");
				return reply(200, detailOf(component));
			},
		}),
	];
}

const itemOf = ({ id, version, title, description }: Component<Effects>) => ({
	id,
	version,
	title,
	description,
	source: "built-in",
});

const detailOf = (component: Component<Effects>) => ({
	...itemOf(component),
	params: z.toJSONSchema(component.params, { io: "input", unrepresentable: "any" }),
	output: z.toJSONSchema(component.output, { io: "output", unrepresentable: "any" }),
	expressions: component.expressions ?? {},
	hosts: component.hosts,
	takes_credentials: component.takesCredentials,
	examples: component.examples,
});

import { DeletedAnswer } from "@tripline/contract/entries";
import {
	ComponentDetail,
	ComponentList,
	InstallComponent,
	InstalledComponent,
} from "@tripline/contract/executor";
import { GuiTestComponent } from "@tripline/contract/gui";
import { RecipeId } from "@tripline/contract/recipes";
import { RunResult } from "@tripline/contract/workflows";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import {
	createNotFound,
	type GuiCall,
	type GuiParts,
	getExecutor,
	requireFound,
	TAG as tag,
} from "./parts.ts";

const COMPONENT = "component";
/** Of a test. */
const NODE = "test";
const Installable = z.object({ id: RecipeId });

export const componentRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/components",
		tag,
		summary: "The components: built in, operations of recipes, installed",
		responses: { 200: { description: "All components", body: ComponentList } },
		async handle(call: GuiCall) {
			return reply(200, await getExecutor(parts, call).components.list());
		},
	}),

	route({
		method: "GET",
		path: "/gui/components/{id}",
		tag,
		summary: "A component's parameters, output and examples",
		params: z.object({ id: z.string().min(1).max(200) }),
		responses: { 200: { description: "The component", body: ComponentDetail } },
		async handle(call) {
			return reply(
				200,
				requireFound(await getExecutor(parts, call).components.get(call.params.id), COMPONENT),
			);
		},
	}),

	route({
		method: "PUT",
		path: "/gui/components/{id}",
		tag,
		summary: "Install a component from the registry, or another version of it",
		description: "The SHA-256 pins the version whose hosts and credentials the user agreed to.",
		params: Installable,
		body: InstallComponent,
		responses: { 200: { description: "Installed", body: InstalledComponent } },
		async handle(call) {
			return reply(200, await getExecutor(parts, call).components.install(call.params.id, call.body));
		},
	}),

	route({
		method: "POST",
		path: "/gui/components/{id}/test",
		tag,
		summary: "Run a component once, as the only node of a workflow",
		description: "The run is recorded like that of a webhook. The workflow is deleted afterwards.",
		params: z.object({ id: z.string().min(1).max(200) }),
		body: GuiTestComponent,
		responses: { 200: { description: "The run, also if it failed", body: RunResult } },
		async handle(call) {
			const { components, webhooks } = getExecutor(parts, call);
			const { id } = call.params;
			const { params, credential } = call.body;
			requireFound(await components.get(id), COMPONENT);
			const { token } = await webhooks.create({
				json: {
					name: `test of ${id}`,
					description: `Runs ${id} once`,
					version: "1",
					triplets: [`input >> then >> ${NODE}`],
					config: { [NODE]: { ...params, component: id, ...(credential !== undefined && { credential }) } },
				},
			});
			try {
				return reply(200, await webhooks.run(token, {}));
			} finally {
				await webhooks.delete(token);
			}
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/components/{id}",
		tag,
		summary: "Uninstall a component",
		description: "Workflows that use it fail from then on.",
		params: Installable,
		responses: { 200: { description: "Uninstalled", body: DeletedAnswer } },
		async handle(call) {
			if (!(await getExecutor(parts, call).components.uninstall(call.params.id)))
				throw createNotFound(COMPONENT);
			return reply(200, { deleted: true });
		},
	}),
];

import { DeletedAnswer } from "@tripline/contract/entries";
import {
	ComponentDetail,
	ComponentList,
	InstallComponent,
	InstalledComponent,
} from "@tripline/contract/executor";
import { RecipeId } from "@tripline/contract/recipes";
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

import { type ComponentType, lazy } from "react";
import OverviewPage from "../pages/overview/overview-page.tsx";
import type { PageProps } from "../router.tsx";
import type { PlaceId } from "./places.ts";

interface PageRoute {
	readonly pattern: string;
	readonly page: ComponentType<PageProps>;
	/** The navigation item that is highlighted. */
	readonly place: PlaceId;
	/**
	 * Routes with the same value keep the page mounted, such as a list and its detail, or a new workflow and its saved
	 * one.
	 */
	readonly stays?: string;
}

const page = (load: () => Promise<{ default: ComponentType<PageProps> }>) => lazy(load);

const workflow = page(() => import("../pages/workflow/workflow-page.tsx"));
const executions = page(() => import("../pages/executions/executions-page.tsx"));
const knowledge = page(() => import("../pages/knowledge/knowledge-page.tsx"));
const components = page(() => import("../pages/components/components-page.tsx"));

const editRecipe = page(() => import("../pages/recipes/edit/edit-page.tsx"));

/** The first matching route is shown. Pages are loaded on demand. */
export const ROUTES: readonly PageRoute[] = [
	{ pattern: "/", page: OverviewPage, place: "overview" },
	{
		pattern: "/workflows",
		page: page(() => import("../pages/workflows/workflows-page.tsx")),
		place: "workflows",
	},
	{ pattern: "/trash", page: page(() => import("../pages/trash/trash-page.tsx")), place: "workflows" },
	{ pattern: "/new-workflow", page: workflow, place: "workflows", stays: "workflow" },
	{ pattern: "/workflows/:name", page: workflow, place: "workflows", stays: "workflow" },
	{ pattern: "/executions", page: executions, place: "executions", stays: "executions" },
	{ pattern: "/executions/:id", page: executions, place: "executions", stays: "executions" },
	{ pattern: "/inbox", page: page(() => import("../pages/inbox/inbox-page.tsx")), place: "inbox" },
	{ pattern: "/files", page: page(() => import("../pages/files/files-page.tsx")), place: "files" },
	{ pattern: "/knowledge", page: knowledge, place: "knowledge", stays: "knowledge" },
	{ pattern: "/knowledge/:id", page: knowledge, place: "knowledge", stays: "knowledge" },
	{ pattern: "/graph", page: page(() => import("../pages/graph/graph-page.tsx")), place: "graph" },
	{ pattern: "/memory", page: page(() => import("../pages/memory/memory-page.tsx")), place: "memory" },
	{
		pattern: "/memory/conversation",
		page: page(() => import("../pages/memory/conversation-page.tsx")),
		place: "memory",
	},
	{ pattern: "/components", page: components, place: "components" },
	{ pattern: "/components/:id", page: components, place: "components" },
	{ pattern: "/registry/:id", page: components, place: "components" },
	{ pattern: "/recipes", page: page(() => import("../pages/recipes/recipes-page.tsx")), place: "recipes" },
	{
		pattern: "/import-recipe",
		page: page(() => import("../pages/recipes/import/import-page.tsx")),
		place: "recipes",
	},
	{ pattern: "/new-recipe", page: editRecipe, place: "recipes" },
	{ pattern: "/recipes/:id/edit", page: editRecipe, place: "recipes" },
	{
		pattern: "/recipes/:id",
		page: page(() => import("../pages/recipes/recipe-page.tsx")),
		place: "recipes",
	},
	{
		pattern: "/mcp-servers",
		page: page(() => import("../pages/mcp-servers/servers-page.tsx")),
		place: "mcpServers",
	},
	{
		pattern: "/mcp-servers/:name",
		page: page(() => import("../pages/mcp-servers/server-page.tsx")),
		place: "mcpServers",
	},
	{
		pattern: "/credentials",
		page: page(() => import("../pages/credentials/credentials-page.tsx")),
		place: "credentials",
	},
	{ pattern: "/connect", page: page(() => import("../pages/connect/connect-page.tsx")), place: "connect" },
	{
		pattern: "/settings",
		page: page(() => import("../pages/settings/settings-page.tsx")),
		place: "settings",
	},
];

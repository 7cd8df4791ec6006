import type { ConversationName } from "../api/types.ts";
import type { IconName } from "../ui/icon.tsx";

/** The items of the navigation. `key` opens the place after "g". */
export const PLACES = [
	{ id: "overview", path: "/", icon: "overview", key: "o" },
	{ id: "workflows", path: "/workflows", icon: "workflow", key: "w" },
	{ id: "executions", path: "/executions", icon: "executions", key: "e" },
	{ id: "inbox", path: "/inbox", icon: "inbox", key: "i" },
	{ id: "files", path: "/files", icon: "file", key: "f" },
	{ id: "knowledge", path: "/knowledge", icon: "knowledge", key: "k" },
	{ id: "graph", path: "/graph", icon: "graph", key: "g" },
	{ id: "memory", path: "/memory", icon: "talk", key: "y" },
	{ id: "components", path: "/components", icon: "components", key: "c" },
	{ id: "recipes", path: "/recipes", icon: "recipe", key: "p" },
	{ id: "mcpServers", path: "/mcp-servers", icon: "server", key: "m" },
	{ id: "credentials", path: "/credentials", icon: "credential", key: "r" },
	{ id: "connect", path: "/connect", icon: "connect", key: "a" },
	{ id: "settings", path: "/settings", icon: "settings", key: "s" },
] as const satisfies readonly { id: string; path: string; icon: IconName; key: string }[];
export type PlaceId = (typeof PLACES)[number]["id"];

export const buildWorkflowPath = (name: string): string => `/workflows/${encodeURIComponent(name)}`;
export const buildExecutionPath = (id: string): string => `/executions/${encodeURIComponent(id)}`;
export const buildNodeDataPath = (execution: string, node: string): string =>
	`${buildExecutionPath(execution)}?${new URLSearchParams({ node })}`;
export const buildEntryPath = (id: string): string => `/knowledge/${encodeURIComponent(id)}`;
export const buildNodePath = (node: string): string => `/graph?${new URLSearchParams({ node })}`;
export const buildConversationPath = ({ workflow, key }: ConversationName): string =>
	`/memory/conversation?${new URLSearchParams({ workflow, key })}`;
export const buildRecipePath = (id: string): string => `/recipes/${encodeURIComponent(id)}`;
export const buildMcpServerPath = (name: string): string => `/mcp-servers/${encodeURIComponent(name)}`;
export const buildComponentPath = (id: string): string => `/components/${encodeURIComponent(id)}`;

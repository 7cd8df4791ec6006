import type { Requirement } from "../requirement.ts";

export const registry = [
	{
		id: "REG-MARKET",
		service: "registry",
		section: "What the service does",
		statement: "Components are offered on a market that the registry serves.",
	},
	{
		id: "REG-STATS-OWN",
		service: "registry",
		section: "What the service does",
		statement: "The registry records its own usage statistics.",
	},
	{
		id: "REG-STATS-NAMESPACE",
		service: "registry",
		section: "What the service does",
		statement: "The usage statistics lie in a key-value namespace of the registry itself.",
	},
	{
		id: "REG-STATS-SEPARATE",
		service: "registry",
		section: "What the service does",
		statement: "The usage statistics of the registry are separate from execution records.",
	},
	{
		id: "REG-KV-SUBMISSIONS",
		service: "registry",
		section: "What the service does",
		statement: "The list of key-value namespaces that the registry requires includes SUBMISSIONS_KV.",
	},
] as const satisfies readonly Requirement[];

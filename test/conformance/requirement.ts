export type Service = "store" | "knowledge" | "executor" | "mcp" | "registry" | "cli";

export interface Requirement {
	readonly id: string;
	readonly service: Service;
	readonly section: string;
	readonly statement: string;
}

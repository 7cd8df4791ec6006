import { listTools } from "@tripline/components/agent/list-tools";
import type { Json } from "@tripline/contract/json";
import { Report } from "@tripline/engine/diagnostics";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { parseTemplate } from "@tripline/engine/expressions/template-syntax";
import { readSourceInto } from "@tripline/engine/source";
import { toDocumentSource } from "../sync/deployed.ts";
import { toSource } from "../workflows/local-compile.ts";

/** What a workflow needs from its service, by name. */
export interface Needs {
	readonly components: ReadonlySet<string>;
	readonly credentials: ReadonlySet<string>;
	/** Workflows that it calls by a constant name. */
	readonly workflows: ReadonlySet<string>;
}

export function readNeeds(text: string): Needs {
	const report = new Report();
	const { definition } = readSourceInto(report, toSource(toDocumentSource(text)), { named: false });
	const needs = {
		components: new Set<string>(),
		credentials: new Set<string>(),
		workflows: new Set<string>(),
	};
	for (const node of definition?.graph.nodes ?? []) {
		const { component, credential, params } = node;
		needs.components.add(component);
		for (const tool of listTools(node)) {
			if (tool.component !== undefined) needs.components.add(tool.component);
			if (tool.credential !== undefined) needs.credentials.add(tool.credential);
			if (tool.workflow !== undefined) needs.workflows.add(tool.workflow);
		}
		if (credential !== undefined) needs.credentials.add(credential);
		if (component === "workflow" && typeof params.name === "string" && !hasTemplate(params.name))
			needs.workflows.add(params.name);
		collectCredentials(params);
	}
	const { trigger, options } = definition ?? {};
	if (trigger?.poll !== undefined) {
		const { operation, credential, params = {} } = trigger.poll;
		needs.components.add(operation);
		if (credential !== undefined) needs.credentials.add(credential);
		collectCredentials(params);
	}
	if (trigger?.email !== undefined) needs.credentials.add(trigger.email.credential);
	const verifiers = [options?.signature, trigger?.signature, trigger?.auth, trigger?.handshake];
	for (const verifier of verifiers)
		if (typeof verifier === "object" && verifier.credential !== undefined)
			needs.credentials.add(verifier.credential);
	return needs;

	/** Credentials in templates, such as `{{credential.crm.token}}`. */
	function collectCredentials(value: Json): void {
		if (typeof value === "string") {
			if (!value.includes("{{") || !value.includes("credential")) return;
			for (const piece of parseTemplate(value, report.meter).pieces) {
				if (typeof piece === "string" || piece.source.kind !== "path") continue;
				const [root, name] = piece.source.steps;
				if (root?.key === "credential" && typeof name?.key === "string") needs.credentials.add(name.key);
			}
		} else if (typeof value === "object" && value !== null) {
			for (const below of Object.values(value)) collectCredentials(below);
		}
	}
}

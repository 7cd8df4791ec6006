import type { Invocation, Outcome } from "../command.ts";
import { confirmPlan } from "../plan.ts";
import { createExecutor } from "../services.ts";
import { createUnknownWorkflow } from "../workflows/unknown-workflow.ts";
import { findWorkflow } from "./find.ts";

const TEXTS = {
	enable: "its addresses, its schedule and its events start runs again",
	disable:
		"its addresses answer 409, its schedule and its events start no run; runs from the console, from assistants and from other workflows still work",
} as const;

export const enable = (invocation: Invocation): Promise<Outcome> => setEnabled(invocation, true);
export const disable = (invocation: Invocation): Promise<Outcome> => setEnabled(invocation, false);

async function setEnabled(invocation: Invocation, enabled: boolean): Promise<Outcome> {
	const name = invocation.positionals.name as string;
	const executor = createExecutor(invocation.io);
	const verb = enabled ? "enable" : "disable";
	const described = await findWorkflow(executor, verb, name);
	if (described.enabled === enabled)
		return { json: { name, enabled, result: "unchanged" }, text: `${name} is already ${verb}d` };
	const isConfirmed = await confirmPlan(invocation, {
		lines: [`${name}: ${TEXTS[verb]}`],
		question: `${verb} ${name}`,
		refusal: `${name} was not ${verb}d`,
	});
	if (!isConfirmed)
		return { json: { name, enabled: !enabled, result: `would ${verb}` }, text: `${name}: would be ${verb}d` };
	if ((await executor.workflows.setEnabled(name, enabled)) === null)
		throw await createUnknownWorkflow(executor, verb, name);
	return { json: { name, enabled, result: `${verb}d` }, text: `${name} is ${verb}d` };
}

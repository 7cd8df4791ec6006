import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";
import { findWorkflow } from "../versions/find.ts";

const MAX_DAYS = 365;

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const days = parseDays(flags.days);
	const executor = createExecutor(io);
	const { name } = await findWorkflow(executor, "chat-link", positionals.workflow as string);
	const link = await executor.workflows.createChatLink(name, days === null ? {} : { days });
	if (link === null)
		throw new CliProblem(`the workflow ${JSON.stringify(name)} has no chat`, {
			hint: "add to it: trigger: { type: webhook, chat: {} }",
		});
	return { json: link, text: `${link.url}\n` };
}

function parseDays(given: Invocation["flags"][string]): number | null {
	if (given === undefined) return null;
	const days = Number(given);
	if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
	throw new CliProblem(`--days must be 1 to ${MAX_DAYS}`, { code: 2 });
}

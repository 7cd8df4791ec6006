import type { Invocation, Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { confirmPlan } from "../plan.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { renderChanges, renderServer, summarizeServer } from "./describe.ts";
import { createUnknownServer, findServer } from "./find.ts";

export async function list({ io }: Invocation): Promise<Outcome> {
	const { mcp_servers: servers } = await createExecutor(io).mcpServers.list();
	return {
		json: { mcp_servers: servers },
		text: {
			columns: ["server", "address", "credential", "tools", "checked", ""],
			rows: servers.map(({ name, url, credential, components, checked_at, offered, error }) => [
				name,
				toPrintable(url),
				toPrintable(credential ?? ""),
				String(components.length),
				formatTime(checked_at),
				typeof error === "string" ? "failed" : offered === null ? "" : "has changed",
			]),
			empty: "no MCP servers",
		},
	};
}

export async function show({ positionals, io }: Invocation): Promise<Outcome> {
	const server = await findServer(createExecutor(io), positionals.name as string);
	return { json: server, text: toPrintable(renderServer(server)) };
}

export async function refresh({ positionals, io, progress }: Invocation): Promise<Outcome> {
	const executor = createExecutor(io);
	const name = positionals.name as string;
	progress("listing the tools");
	const changes = await executor.mcpServers.refresh(name);
	if (changes === null) throw await createUnknownServer(executor, name);
	const text = renderChanges(changes);
	return {
		json: changes,
		text: toPrintable(
			text === null
				? `${name}: nothing has changed`
				: `${text}\n\nWorkflows use what was accepted before. To use this: tripline mcp accept ${name}`,
		),
	};
}

/** Shows the difference first, and accepts exactly that. */
export async function accept(invocation: Invocation): Promise<Outcome> {
	const executor = createExecutor(invocation.io);
	const name = invocation.positionals.name as string;
	invocation.progress("listing the tools");
	const changes = await executor.mcpServers.refresh(name);
	if (changes === null) throw await createUnknownServer(executor, name);
	const text = renderChanges(changes);
	if (text === null)
		return { json: { name, result: "unchanged" }, text: `${toPrintable(name)}: nothing has changed` };
	invocation.io.err(`${toPrintable(text)}\n`);
	const isConfirmed = await confirmPlan(invocation, {
		lines: [],
		question: `use these tools of ${name} from now on`,
		refusal: "nothing was accepted",
	});
	if (!isConfirmed) return { json: { name, result: "would accept", changes }, text: "" };
	const accepted = await executor.mcpServers.accept(name, changes.hash);
	if (accepted === null) throw await createUnknownServer(executor, name);
	return summarizeServer(accepted);
}

export async function remove(invocation: Invocation): Promise<Outcome> {
	const executor = createExecutor(invocation.io);
	const name = invocation.positionals.name as string;
	const { tools } = await findServer(executor, name);
	const isConfirmed = await confirmPlan(invocation, {
		lines: [
			`${name}: workflows that use its tools no longer run; its sign-in ends`,
			...tools.map(({ component }) => `  ${toPrintable(component)}`),
		],
		question: `remove the MCP server ${name}`,
		refusal: `${name} was not removed`,
	});
	if (!isConfirmed) return { json: { name, result: "would remove" }, text: `${name}: would be removed` };
	if (!(await executor.mcpServers.delete(name))) throw await createUnknownServer(executor, name);
	return { json: { name, result: "removed" }, text: `${name} is removed` };
}

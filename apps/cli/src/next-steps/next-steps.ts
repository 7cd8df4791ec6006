import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { ServiceUnavailable } from "@tripline/web/service-call";
import { requireSetting } from "../config.ts";
import type { Io } from "../io.ts";
import { findProjectFolder } from "../project.ts";
import { isOnThisMachine } from "../service-problem.ts";
import { createExecutor } from "../services.ts";
import { type CallName, findCallName } from "./call-name.ts";

/** What `tripline` without arguments prints: the state of the service, and the commands that come next. */
export async function renderNextSteps(io: Io): Promise<string> {
	const call = findCallName(io);
	const address = requireSetting(io, "base_url");
	const count = await countWorkflows(io, address);
	return [
		...(count === null ? listFirstSteps(io, call, address) : listSteps(io, call, address, count)),
		`${call.words} --help lists all commands.`,
		...(call.tarball === null ? [] : [`npm install -g ${call.tarball} makes tripline a command.`]),
		"",
	].join("\n");
}

/** Null if nothing listens at an address of this machine: the service is not started yet. */
async function countWorkflows(io: Io, address: string): Promise<number | null> {
	try {
		return (await createExecutor(io).workflows.list()).workflows.length;
	} catch (error) {
		const isUnreachable = error instanceof ServiceUnavailable && error.cause !== undefined;
		if (isUnreachable && isOnThisMachine(address)) return null;
		throw error;
	}
}

function listFirstSteps(io: Io, { words }: CallName, address: string): string[] {
	const folder = findProjectFolder(io);
	const place = folder === io.cwd ? "this folder" : folder;
	const hasData = existsSync(join(folder, "data"));
	return [
		`Tripline ${io.version}. No service is running at ${address}.`,
		"",
		`  ${words} serve`,
		`      runs it in ${place}${hasData ? ", with the data that is there" : ""}`,
		...(hasData ? [`  ${words} doctor`, "      says what is wrong if it does not start"] : []),
		`  CLOUDFLARE_ACCOUNT_ID=... CLOUDFLARE_API_TOKEN=... ${words} init`,
		"      deploys it to Cloudflare instead",
		"",
		`While it runs, call ${words} in another terminal for the next step.`,
	];
}

function listSteps(io: Io, { words }: CallName, address: string, count: number): string[] {
	return [
		`Tripline ${io.version}. The service at ${address} is running, with ${count === 0 ? "no workflow yet" : renderCount(count)}.`,
		"",
		...(count === 0 ? listStepsToFirstWorkflow(words) : listStepsWithWorkflows(words)),
		`  ${words} mcp-setup`,
		"      connects an assistant that writes workflows",
		"",
		`Console: ${requireSetting(io, "mcp_url")}/console${describeLogin(io, address)}`,
	];
}

/** Where the owner secret is, if the service was started in this project and has made it. */
function describeLogin(io: Io, address: string): string {
	const file = join(findProjectFolder(io), "data", "keys", "owner.secret");
	if (!isOnThisMachine(address) || !existsSync(file)) return "";
	return `, with the secret in ${relative(io.cwd, file)}`;
}

const renderCount = (count: number): string => (count === 1 ? "1 workflow" : `${count} workflows`);

const listStepsToFirstWorkflow = (words: string): string[] => [
	"Save this as hello.yaml:",
	"",
	"name: hello",
	"description: Greets by name",
	'version: "1"',
	"triplets:",
	"  - input >> then >> greet",
	"config:",
	'  greet: { component: template, text: "Hello {{input.name}}" }',
	"",
	"Then:",
	"",
	`  ${words} push hello.yaml`,
	`  ${words} run hello --input '{"name":"Ada"}'`,
	"      saves it and runs it",
];

const listStepsWithWorkflows = (words: string): string[] => [
	`  ${words} list`,
	"      lists the workflows",
	`  ${words} executions`,
	"      lists the latest runs",
	`  ${words} status`,
	"      shows what the service does, and what needs attention",
];

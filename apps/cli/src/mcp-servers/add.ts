import { ServiceRefused } from "@tripline/web/service-call";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";
import { summarizeServer } from "./describe.ts";
import { run as signIn } from "./sign-in.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io, progress } = invocation;
	const [name, url] = [positionals.name as string, positionals.url as string];
	const ways = ["credential", "token", "sign-in"].filter((flag) => flags[flag] !== undefined);
	if (ways.length > 1)
		throw new CliProblem(`pass one of ${ways.map((way) => `--${way}`).join(" and ")}`, {
			code: 2,
			hint: "tripline mcp add --help",
		});
	if (flags["sign-in"] === true) return signIn(invocation);
	const executor = createExecutor(io);
	let credential = flags.credential as string | undefined;
	if (flags.token === true) {
		const { host } = parseUrl(url);
		credential = `mcp_${name}_token`;
		const token = await readToken(io);
		progress(`storing the credential ${credential}`);
		await executor.credentials.put(credential, { auth_recipe: "bearer_token", fields: { host, token } });
	}
	progress("listing the tools");
	const add = () => executor.mcpServers.put(name, { url, ...(credential !== undefined && { credential }) });
	return summarizeServer(
		await add().catch((error: unknown) => {
			throw ways.length === 0 ? hintAtSignIn(error, name, url) : error;
		}),
	);
}

function parseUrl(text: string): URL {
	const url = URL.parse(text);
	if (url !== null && /^https?:$/.test(url.protocol)) return url;
	throw new CliProblem("the address must be a URL such as https://example.com/mcp", { code: 2 });
}

/** Never an argument: those are visible to other users of the machine. */
async function readToken(io: Invocation["io"]): Promise<string> {
	const token = ((await io.askSecret("token")) ?? (await io.stdin())).trim();
	if (token !== "") return token;
	throw new CliProblem("there is no token", {
		code: 2,
		hint: "write it to standard input, or run this on a terminal",
	});
}

/** A server that wants to know who calls is the likely reason. */
function hintAtSignIn(error: unknown, name: string, url: string): unknown {
	if (!(error instanceof ServiceRefused) || !/\b401\b|\b403\b|credential/.test(describe(error))) return error;
	return new CliProblem(describe(error), {
		hint: `tripline mcp add ${name} ${url} --sign-in, or --token if you have one`,
	});
}

const describe = ({ message, issues }: ServiceRefused): string =>
	issues.length === 0 ? message : issues.map((issue) => `${issue.path} ${issue.message}`).join("; ");

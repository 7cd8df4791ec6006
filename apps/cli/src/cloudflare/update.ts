import type { Invocation, Outcome } from "../command.ts";
import { readAccountId, readTarget } from "./account.ts";
import { cloudflareApi } from "./api.ts";
import { deploy } from "./deploy.ts";
import { toOutcome } from "./outcome.ts";
import { provider } from "./provider.ts";

const NEXT = "Workflows, credentials and secrets were not changed.";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { io, flags, progress } = invocation;
	const { accountId, token, prefix } = await readTarget(invocation, readAccountId(invocation, "any layer"));
	const deployment = await deploy({
		io,
		api: cloudflareApi(provider({ io, token }), accountId),
		accountId,
		prefix,
		isForced: flags.force === true,
		isUpdate: true,
		progress,
	});
	return toOutcome(deployment, accountId, NEXT);
}

import { randomBytes } from "node:crypto";
import { createExecutor } from "@tripline/executor/app";
import { executorEnvironment, executorSettings } from "@tripline/executor/settings";
import { storedEntries } from "@tripline/executor/vault/stored-entries";
import { createVault } from "@tripline/executor/vault/vault";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { nodeBackground } from "@tripline/platform/background.node";
import { systemClock } from "@tripline/platform/clock";
import { nodeDescriptions } from "@tripline/platform/descriptions.node";
import { nodeHttp } from "@tripline/platform/http.node";
import type { Kv } from "@tripline/platform/kv";
import { secretMasterKeys } from "@tripline/platform/master-key.secrets";
import { nodePdf } from "@tripline/platform/pdf.node";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { registryClient } from "@tripline/registry/client";
import { storeClient } from "@tripline/store/client";
import { listen } from "../../../../apps/node/src/listen.ts";
import type { Environment } from "../../platforms.ts";
import { createWorld, type World } from "../../scenario.ts";

/** An executor with the world's store and exactly these settings; the host adds none. */
export async function withOwnExecutor(
	world: World,
	{ token, environment }: { readonly token: string; readonly environment: Environment },
	use: (world: World) => Promise<void>,
): Promise<void> {
	const transport = {
		fetch: (request: Request) => fetch(request),
		baseUrl: world.target.storeUrl,
		token,
	};
	const background = nodeBackground(() => {});
	const http = nodeHttp({ allow: parseAllowedHosts("") });
	const sandbox = nodeSandbox();
	const pdf = nodePdf();
	const descriptions = nodeDescriptions();
	const executor = createExecutor({
		store: storeClient(transport),
		kv: memoryKv(),
		blobs: null,
		steps: null,
		vault: createVault({
			masterKeys: secretMasterKeys({ MASTER_KEY: randomBytes(32).toString("base64") }),
			storage: storedEntries(transport),
			background,
			clock: systemClock,
		}),
		http,
		sandbox,
		pdf,
		descriptions,
		registry: registryClient({ fetch: (request) => fetch(request), baseUrl: "http://127.0.0.1:9" }),
		clock: systemClock,
		log: () => {},
		version: "0.0.0-test",
		background,
		settings: executorSettings(executorEnvironment.parse(environment)),
		ready: async () => true,
	});
	const listener = await listen({
		answer: executor.answer,
		host: "127.0.0.1",
		port: 0,
		portSetting: "PORT",
		onError: () => {},
	});
	try {
		await use(createWorld({ ...world.target, publicUrl: listener.url }));
	} finally {
		await listener.close();
		await executor.close();
		await Promise.all([http.close(), sandbox.close(), pdf.close(), descriptions.close()]);
		await background.flush();
	}
}

function memoryKv(): Kv {
	const values = new Map<string, string>();
	return {
		get: async (key) => values.get(key) ?? null,
		put: async (key, value) => void values.set(key, value),
		delete: async (key) => void values.delete(key),
		list: async ({ prefix }) => ({
			keys: [...values.keys()].filter((key) => key.startsWith(prefix)),
			cursor: null,
		}),
	};
}

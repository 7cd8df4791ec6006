import type { Surface, World } from "../../scenario.ts";
import { bearer } from "./settings.ts";

/** The console's endpoints with a bearer, by default the scenario's own namespace. */
export function consoleOf(world: World, credential = world.owner): Surface {
	type Options = NonNullable<Parameters<Surface["call"]>[2]>;
	const known = (options: Options = {}): Options => ({
		...options,
		headers: { ...bearer(credential), ...options.headers },
	});
	const { anyone } = world;
	return {
		call: (method, path, options) => anyone.call(method, `/gui${path}`, known(options)),
		expect: (status, schema, method, path, options) =>
			anyone.expect(status, schema, method, `/gui${path}`, known(options)),
		refuse: (status, method, path, options) => anyone.refuse(status, method, `/gui${path}`, known(options)),
	};
}

/** As another tenant. */
export const othersConsole = (world: World): Surface => consoleOf(world, `${world.owner}-other`);

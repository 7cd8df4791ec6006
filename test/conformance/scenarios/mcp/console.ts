import type { Surface, World } from "../../scenario.ts";
import { bearer } from "./settings.ts";

/** The console's endpoints with a bearer, by default the scenario's own namespace. */
export function openConsole(world: World, credential = world.owner): Surface {
	type Options = NonNullable<Parameters<Surface["call"]>[2]>;
	const addBearer = (options: Options = {}): Options => ({
		...options,
		headers: { ...bearer(credential), ...options.headers },
	});
	const { anyone } = world;
	return {
		call: (method, path, options) => anyone.call(method, `/gui${path}`, addBearer(options)),
		expect: (status, schema, method, path, options) =>
			anyone.expect(status, schema, method, `/gui${path}`, addBearer(options)),
		refuse: (status, method, path, options) =>
			anyone.refuse(status, method, `/gui${path}`, addBearer(options)),
	};
}

/** As another tenant. */
export const openOthersConsole = (world: World): Surface => openConsole(world, `${world.owner}-other`);

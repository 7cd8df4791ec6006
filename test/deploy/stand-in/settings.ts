import * as z from "zod";
import { Refusal } from "./answer.ts";
import { createRoute, parseChecked, WORKERS } from "./api.ts";
import { buildBindings, checkBindings, renderBindings, uploadedBindingSchema } from "./bindings.ts";
import { findActiveVersion, type Version } from "./script.ts";
import { getScript, SCRIPTS, WRITE } from "./script-access.ts";
import { addVersion, deploy } from "./versions.ts";

const settingsSchema = z.strictObject({ bindings: z.array(uploadedBindingSchema) });

/** Replaces the bindings of the active code; bindings that are not named are removed, unless they are inherited by name. */
const changeSettings = createRoute({
	...WRITE,
	method: "PATCH",
	path: `${SCRIPTS}/:script/settings`,
	async handle({ account, param, request }) {
		const script = getScript(account, param("script"));
		const { bindings: named } = await readSettings(request);
		const { code, exports, bindings: before } = findActiveVersion(script) as Version;
		const bindings = buildBindings(named, [], before);
		checkBindings(account, script.name, bindings);
		const { id } = addVersion(script, { source: "upload", code, exports, bindings });
		deploy(script, [{ version_id: id, percentage: 100 }]);
		account.runtime.changed();
		return { result: { bindings: renderBindings(bindings) } };
	},
});

export const settingsRoutes = [changeSettings];

async function readSettings(request: Request): Promise<z.infer<typeof settingsSchema>> {
	const part = await request.formData().then(
		(form) => form.get("settings"),
		() => null,
	);
	if (typeof part !== "string") throw new Refusal(400, 10021, "could not read content for part settings");
	try {
		return parseChecked(settingsSchema, JSON.parse(part), WORKERS);
	} catch (error) {
		if (error instanceof Refusal) throw error;
		throw new Refusal(400, 10026, "Could not parse request body: settings is not JSON");
	}
}

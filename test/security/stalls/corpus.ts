import type { Family } from "./case.ts";
import { assistants } from "./families/assistants.ts";
import { components } from "./families/components.ts";
import { documents } from "./families/documents.ts";
import { door } from "./families/door.ts";
import { events } from "./families/events.ts";
import { expressions } from "./families/expressions.ts";
import { files } from "./families/files.ts";
import { foldings } from "./families/folding.ts";
import { inputs } from "./families/inputs.ts";
import { outbound } from "./families/outbound.ts";
import { reading } from "./families/reading.ts";
import { registry } from "./families/registry.ts";
import { schemas } from "./families/schemas.ts";
import { senders } from "./families/senders.ts";
import { store } from "./families/store.ts";
import { templates } from "./families/templates.ts";
import { types } from "./families/types.ts";
import { versions } from "./families/versions.ts";
import { yaml } from "./families/yaml.ts";

export const CORPUS: readonly Family[] = [
	documents,
	foldings,
	yaml,
	schemas,
	templates,
	expressions,
	types,
	components,
	outbound,
	inputs,
	files,
	door,
	senders,
	reading,
	versions,
	store,
	assistants,
	registry,
	events,
];

import { stored } from "../stored.ts";

const isText = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Of the login; the browser keeps it. */
export const issued = stored<string | null>("tripline.access_token", null, isText);
/** Typed in; it goes with the tab. */
export const typed = stored<string | null>("tripline.typed_token", null, isText, sessionStorage);

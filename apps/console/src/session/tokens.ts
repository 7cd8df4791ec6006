import { stored } from "../stored.ts";

const isText = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Access token from the login, in local storage. */
export const issuedToken = stored<string | null>("tripline.access_token", null, isText);
/** Token the user entered, in session storage: it lasts until the tab is closed. */
export const typedToken = stored<string | null>("tripline.typed_token", null, isText, sessionStorage);

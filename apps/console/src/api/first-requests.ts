/**
 * URLs of the requests that the first script sends before the app has loaded. A query takes the response by its key,
 * so the URL is also the key. The first script contains this module and must stay small.
 */
export const SESSION_URL = "/gui/session";
export const buildOverviewUrl = (hours: number): string => `/gui/overview?hours=${hours}`;

/** Time ranges of the overview, in hours. */
export const OVERVIEW_HOURS = { day: 24, week: 168 } as const;
export type Range = keyof typeof OVERVIEW_HOURS;
/** The range of an address that names none. */
export const DEFAULT_RANGE: Range = "day";

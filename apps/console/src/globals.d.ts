/** The address of the worker that lays graphs out; set by the build. */
declare const LAYOUT_WORKER: string;

/** What each page loads beside what all have, by the page's folder; set by the build. */
declare const PAGE_FILES: Readonly<Partial<Record<string, readonly string[]>>>;

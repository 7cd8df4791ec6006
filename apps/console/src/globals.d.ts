/** URL of the graph layout worker; set by the build. */
declare const LAYOUT_WORKER: string;

/** Files that a page loads in addition to the shared ones, by the page's folder; set by the build. */
declare const PAGE_FILES: Readonly<Partial<Record<string, readonly string[]>>>;

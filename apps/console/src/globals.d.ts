/** The address of the worker that lays graphs out; set by the build. */
declare const LAYOUT_WORKER: string;

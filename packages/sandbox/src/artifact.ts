import type { QuickJs } from "./exports.ts";
import { meter } from "./meter.ts";

const EXPORTS: readonly Exclude<keyof QuickJs, "fuel" | "pages">[] = [
	"memory",
	"__stack_pointer",
	"_initialize",
	"qjs_init",
	"qjs_set_max_stack_size",
	"qjs_set_gc_threshold",
	"qjs_set_interrupt_handler",
	"wasm_malloc",
	"wasm_free",
	"qjs_eval",
	"qjs_call",
	"qjs_new_string",
	"qjs_new_number",
	"qjs_new_host_function",
	"qjs_new_promise",
	"qjs_promise_state",
	"qjs_promise_result",
	"qjs_execute_pending_job",
	"qjs_is_job_pending",
	"qjs_is_exception",
	"qjs_is_undefined",
	"qjs_is_string",
	"qjs_is_function",
	"qjs_is_promise",
	"qjs_get_exception",
	"qjs_get_undefined",
	"qjs_get_prop_string",
	"qjs_get_string_len",
];

/** Allocation is slow although it contains no loop. With these costs a millisecond costs about the same for any code. */
const CALLS = { js_malloc_rt: 12, js_calloc_rt: 12, js_realloc_rt: 12, js_free_rt: 4 };

const MAX_PAGES = 1024;

const ORIGINAL_SHA256 = "d4c9375f2b1ca4dc95f72c8aa2982a7a9951ac8011490d79c6582df732b4bbd9";
const METERED_SHA256 = "02269494ef11bed897e9d07be5751fae28fa983fd7f064e3b5dad2326265f5a5";

/** Builds the engine for user code from the installed one; both must match the tested hashes. */
export async function buildMeteredQuickJs(
	original: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
	await assertHash("quickjs.wasm", original, ORIGINAL_SHA256);
	const metered = meter(original, { exports: EXPORTS, calls: CALLS, maxPages: MAX_PAGES });
	await assertHash("the metered quickjs.wasm", metered, METERED_SHA256);
	return metered;
}

/** The location of the installed engine. */
export const getOriginalQuickJsUrl = (): string => import.meta.resolve("quickjs-wasi/quickjs.wasm");

async function assertHash(name: string, bytes: Uint8Array<ArrayBuffer>, expected: string): Promise<void> {
	const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
	const actual = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
	if (actual !== expected) {
		throw new Error(
			`${name} has the SHA-256 ${actual}, but ${expected} was expected: install the packages again`,
		);
	}
}

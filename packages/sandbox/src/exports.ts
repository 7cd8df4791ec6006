/** An address in the VM's memory. Values are passed as pointers. */
export type Pointer = number;

/** The exports of the engine that are used. */
export interface QuickJs {
	readonly memory: WebAssembly.Memory;
	readonly __stack_pointer: WebAssembly.Global<number>;
	readonly fuel: WebAssembly.Global<bigint>;
	readonly pages: WebAssembly.Global<number>;
	_initialize(): void;
	qjs_init(): number;
	qjs_set_max_stack_size(bytes: number): void;
	qjs_set_gc_threshold(bytes: number): void;
	qjs_set_interrupt_handler(on: number): void;
	wasm_malloc(bytes: number): Pointer;
	wasm_free(at: Pointer): void;
	qjs_eval(code: Pointer, length: number, file: Pointer, flags: number): Pointer;
	qjs_call(callee: Pointer, self: Pointer, count: number, values: Pointer): Pointer;
	qjs_new_string(text: Pointer, length: number): Pointer;
	qjs_new_number(value: number): Pointer;
	qjs_new_host_function(name: Pointer, length: number, parameters: number): Pointer;
	qjs_new_promise(resolve: Pointer, reject: Pointer): Pointer;
	qjs_promise_state(promise: Pointer): number;
	qjs_promise_result(promise: Pointer): Pointer;
	qjs_execute_pending_job(): number;
	qjs_is_job_pending(): number;
	qjs_is_exception(value: Pointer): number;
	qjs_is_undefined(value: Pointer): number;
	qjs_is_string(value: Pointer): number;
	qjs_is_function(value: Pointer): number;
	qjs_is_promise(value: Pointer): number;
	qjs_get_exception(): Pointer;
	qjs_get_undefined(): Pointer;
	qjs_get_prop_string(object: Pointer, name: Pointer): Pointer;
	qjs_get_string_len(value: Pointer, length: Pointer): Pointer;
}

import type { NodeProgram } from "sigma/rendering";
import type { RenderParams } from "sigma/types";

/**
 * What all shaders of the graph are given. They work in pixels of the screen. Each thing has its own vertices, none is
 * an instance of another: a processor that draws works on each instance apart.
 */
export const UNIFORMS = ["u_matrix", "u_half", "u_scale"] as const;

export type Given = Parameters<NodeProgram["setUniforms"]>[1];

export function givenBy(params: RenderParams, { gl, uniformLocations: at }: Given): void {
	gl.uniformMatrix3fv(at.u_matrix ?? null, false, params.matrix);
	gl.uniform2f(at.u_half ?? null, params.width / 2, params.height / 2);
	gl.uniform1f(at.u_scale ?? null, 1 / params.sizeRatio);
}

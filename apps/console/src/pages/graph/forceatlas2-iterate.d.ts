/** One step of the layout: moves the nodes of a matrix. The package declares no types for this file. */
declare module "graphology-layout-forceatlas2/iterate.js" {
	interface Options {
		readonly linLogMode: boolean;
		readonly outboundAttractionDistribution: boolean;
		readonly adjustSizes: boolean;
		readonly edgeWeightInfluence: number;
		readonly scalingRatio: number;
		readonly strongGravityMode: boolean;
		readonly gravity: number;
		readonly slowDown: number;
		readonly barnesHutOptimize: boolean;
		readonly barnesHutTheta: number;
	}
	export default function iterate(options: Options, nodes: Float32Array, edges: Float32Array): unknown;
}

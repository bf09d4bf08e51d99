package weights

import "math"

// Real returns the values that a genome stands for before they are rounded and bounded, by place in the
// declaration: a smooth function of the genes, for fits. Genes have to be as many as Genes returns.
func (sp *Space) Real(genes []float64) []float64 {
	values := make([]float64, len(sp.schema.decls))
	for i, v := range sp.base.Values {
		values[i] = float64(v)
	}
	for _, st := range sp.steps {
		values[st.decl] = sp.real(st, genes)
		if st.above >= 0 {
			values[st.decl] += values[st.above]
		}
	}
	for to, from := range sp.schema.mirrors(sp.base.Rule) {
		values[to] = values[from]
	}
	return values
}

// real returns the weight of a step, or its increment over the one below.
func (sp *Space) real(st step, genes []float64) float64 {
	z, d := 0.0, &sp.schema.decls[st.decl]
	if st.gene >= 0 {
		z = genes[st.gene]
	}
	switch d.Scale {
	case Linear:
		return st.ref + float64(z*linearSpan(d))
	case Signed:
		return st.ref * math.Sinh(z*signedSpan(d))
	}
	return st.ref * math.Exp(z*lnGeneReach)
}

// Backward returns the derivatives of a function by the genes, given those by the values that Real returns, by
// place in the declaration. It is the chain rule backwards through the steps.
func (sp *Space) Backward(genes, byValue []float64) []float64 {
	byValue = append([]float64(nil), byValue...)
	for to, from := range sp.schema.mirrors(sp.base.Rule) {
		byValue[from] += byValue[to]
	}
	byGene := make([]float64, len(sp.genes))
	for i := len(sp.steps) - 1; i >= 0; i-- {
		st := sp.steps[i]
		if st.gene >= 0 {
			byGene[st.gene] = byValue[st.decl] * sp.slope(st, genes[st.gene])
		}
		if st.above >= 0 {
			byValue[st.above] += byValue[st.decl]
		}
	}
	return byGene
}

// slope returns the derivative of a step by its gene.
func (sp *Space) slope(st step, z float64) float64 {
	d := &sp.schema.decls[st.decl]
	switch d.Scale {
	case Linear:
		return linearSpan(d)
	case Signed:
		return st.ref * signedSpan(d) * math.Cosh(z*signedSpan(d))
	}
	return st.ref * lnGeneReach * math.Exp(z*lnGeneReach)
}

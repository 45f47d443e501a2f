"""The view of matrices and word links, in plain JavaScript. nmt/instrument makes its data. Paper: Figure 3"""
